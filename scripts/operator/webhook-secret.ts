import { secretsOf, webhookRoots } from "../../functions/events/webhook-secrets.ts";
import { appendToAudit } from "../../functions/table/audit-trail.ts";
import { defineCommand, UsageError } from "./command.ts";
import { operatorAct } from "./operator-act.ts";
import { openService, serviceOptions } from "./service.ts";

/** `webhook-secret <address>` */
export const webhookSecretCommand = defineCommand({
  name: "webhook-secret",
  words: "<address>",
  summary: "prints the secret that signs the webhooks to an address",
  details: `
<address> is one of the setting webhooks, as written there. Each address has its own secret, which starts with whsec_. Give it to whoever
runs the receiver. docs/events.md describes how the receiver verifies the signature.`,
  options: {
    ...serviceOptions,
    rotate: {
      type: "boolean",
      help: "creates new secrets for all addresses; the ones before stay valid until the next rotation",
    },
  },
  async run(input, terminal) {
    const { word } = input;
    const url = URL.canParse(word) ? new URL(word).href : undefined;
    if (url?.startsWith("https://") !== true)
      throw new UsageError(`${word} is not an https address. Use one of the setting webhooks.`);
    const service = await openService(input.options);
    if (input.options.rotate) {
      await appendToAudit(await operatorAct(service, "rotate-webhook-secret"), {});
      await webhookRoots.rotate();
    }
    const [current = "", before] = secretsOf({ url }, await webhookRoots.read());
    terminal.print(current);
    if (before !== undefined) terminal.print(`Valid until the next rotation: ${before}`);
    return true;
  },
});

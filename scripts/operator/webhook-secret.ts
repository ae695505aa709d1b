import { secretsOf, webhookRoots } from "../../functions/events/webhook-secrets.ts";
import { appendToAudit } from "../../functions/table/audit-trail.ts";
import { type Command, onlyWord, UsageError } from "./command.ts";
import { operatorAct } from "./operator-act.ts";
import { openService, serviceHelp, serviceOptions, serviceUsage } from "./service.ts";

/** `webhook-secret <address>` */
export const webhookSecretCommand: Command = {
  usage: `<address> [--rotate] ${serviceUsage}`,
  summary: "tells the secret by which an address knows that a webhook is the service's",
  help: `
<address> is one of the setting webhooks, as it stands there. Each has a secret of its own, which starts with whsec_: give it to whoever
receives there. docs/events.md says how they check by it.

  --rotate         makes new secrets for all addresses. Each delivery is signed by the new one and by the one before it, so that nothing
                   is refused while receivers change to the new one; the next rotation ends the one before${serviceHelp}`,
  options: { ...serviceOptions, rotate: { type: "boolean" } },
  async run(input, terminal) {
    const word = onlyWord(input, "address of the setting webhooks");
    const url = URL.canParse(word) ? new URL(word).href : undefined;
    if (url?.startsWith("https://") !== true)
      throw new UsageError(`${word} is no https address: write one of the setting webhooks.`);
    const service = await openService(input);
    if (input.options.rotate === true) {
      await appendToAudit(await operatorAct(service, "rotate-webhook-secret"), {});
      await webhookRoots.rotate();
    }
    const [current = "", before] = secretsOf({ url }, await webhookRoots.read());
    terminal.print(current);
    if (before !== undefined) terminal.print(`Until the next rotation this one is good too: ${before}`);
    return true;
  },
};

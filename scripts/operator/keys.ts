import { secretsOf, webhookRoots } from "../../functions/events/webhook-secrets.ts";
import { cookieKeys } from "../../functions/table/cookie-keys.ts";
import { UsageError } from "./command.ts";
import { defineServiceCommand } from "./service.ts";

export const rotateCookieKeyCommand = defineServiceCommand({
  usage: "rotate-cookie-key",
  summary: "creates a new key for signing cookies, without signing anyone out",
  details: `
The new key is used within five minutes. Cookies signed with the previous key stay valid. Cookies signed with earlier keys do not. Run the
command again after eight days, or at once if the old key has leaked. Visitors of locked pages must then enter the passcode again. MCP
clients that were registered before both rotations keep their access, and register again at the next authorization.`,
  async run({ audit, print }) {
    await audit("rotate-cookie-key");
    await cookieKeys.rotate();
    print("Created a new key. Cookies signed with the previous key stay valid.");
  },
});

export const webhookSecretCommand = defineServiceCommand({
  usage: "webhook-secret <address>",
  summary: "prints the secret that signs webhooks to an address",
  details: `
<address> is an address from the setting webhooks, exactly as written there. Give the secret to the person who runs the receiver.
docs/events.md describes how the receiver verifies the signature.`,
  options: {
    rotate: "creates new secrets for all addresses; the previous ones stay valid until the next rotation",
  },
  async run({ word, options, audit, print }) {
    const url = URL.canParse(word) ? new URL(word).href : undefined;
    if (url?.startsWith("https://") !== true)
      throw new UsageError(`${word} is not an https address. Use an address from the setting webhooks.`);
    if (options.rotate) {
      await audit("rotate-webhook-secret");
      await webhookRoots.rotate();
    }
    const [current = "", before] = secretsOf({ url }, await webhookRoots.read());
    print(current);
    if (before !== undefined) print(`Previous secret, valid until the next rotation: ${before}`);
  },
});

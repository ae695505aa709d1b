import { appendToAudit } from "../../functions/table/audit-trail.ts";
import { cookieKeys } from "../../functions/table/cookie-keys.ts";
import { defineCommand } from "./command.ts";
import { operatorAct } from "./operator-act.ts";
import { openService, serviceOptions } from "./service.ts";

/** `rotate-cookie-key` */
export const rotateCookieKeyCommand = defineCommand({
  name: "rotate-cookie-key",
  summary: "creates a new key for signing cookies; nobody is signed out",
  details: `
Cookies are signed with the new key after at most five minutes. Cookies of the key before it stay valid. Run it again after eight days,
when no such cookie is left, or at once if somebody knows the old key: then its cookies are invalid, and visitors of locked pages enter
the passcode again. MCP clients that were registered before both rotations keep their access and register again at the next
authorization.`,
  options: serviceOptions,
  async run(input, terminal) {
    const service = await openService(input.options);
    await appendToAudit(await operatorAct(service, "rotate-cookie-key"), {});
    await cookieKeys.rotate();
    terminal.print("Created a new key. Cookies of the key before it stay valid.");
    return true;
  },
});

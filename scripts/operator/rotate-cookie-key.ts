import { appendToAudit } from "../../functions/table/audit-trail.ts";
import { cookieKeys } from "../../functions/table/cookie-keys.ts";
import { type Command, UsageError } from "./command.ts";
import { operatorAct } from "./operator-act.ts";
import { openService, serviceHelp, serviceOptions, serviceUsage } from "./service.ts";

/** `rotate-cookie-key` */
export const rotateCookieKeyCommand: Command = {
  usage: serviceUsage,
  summary: "makes a new key to sign cookies with, and logs nobody out",
  help: `
Cookies are signed with the new key at most five minutes later, and those signed with the key before it stay good. So do
it again eight days later, when no such cookie is left, or at once if the old key is known to someone: what was signed
with it is good for nothing then, and every visitor of a locked page gives the passcode again. MCP clients that were registered
before both rotations keep what they were let do, and register again when they next ask.
${serviceHelp}`,
  options: serviceOptions,
  async run(input, terminal) {
    if (input.words.length > 0) throw new UsageError("There is nothing to say but which service.");
    const service = await openService(input);
    await appendToAudit(await operatorAct(service, "rotate-cookie-key"), {});
    await cookieKeys.rotate();
    terminal.print("There is a new key. Cookies of the one before it stay good.");
    return true;
  },
};

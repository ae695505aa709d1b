import { confirmByName, defineCommand, UsageError, yesOption } from "../command.ts";
import { operatorAct } from "../operator-act.ts";
import { openService, serviceOptions } from "../service.ts";
import { quote, type Terminal } from "../terminal.ts";
import { findUser } from "../users.ts";
import { type AuditAges, deleteSurplus, type RetentionSurvey, surveyRetention } from "./surplus.ts";

/** `retention` */
export const retentionCommand = defineCommand({
  name: "retention",
  words: "[<account>]",
  summary: "deletes the versions that the setting keepVersions does not keep",
  details: `
The service deletes older versions when a drop gets a new one. This deletes those of all drops of one account (a user id or a
namespace), or of all accounts: run it after keepVersions was set or lowered. Prints versions and bytes by account, and asks before it
deletes. The newest version of a drop always stays. Nothing restores deleted versions. It can be run again after it stopped.

Lines of the audit trail are never deleted by a command: each goes when its own time is over, which auditDays sets when it is written. With
all accounts, it prints their number and age.

Without <account> it reads the whole table.`,
  options: {
    ...serviceOptions,
    keep: {
      type: "string",
      value: "<number>",
      help: "versions to keep of a drop (the setting keepVersions)",
    },
    "dry-run": { type: "boolean", help: "only prints what would be deleted" },
    yes: yesOption,
  },
  async run({ words: [name], options }, terminal) {
    const chosen = options.keep === undefined ? undefined : parseKeep(options.keep);
    const service = await openService(options);
    const keep = chosen ?? (service.keepVersions === undefined ? undefined : Number(service.keepVersions));
    const isDry = options["dry-run"];
    if (keep === undefined && !isDry)
      throw new UsageError("This service keeps all versions. Set keepVersions, or write --keep <number>.");
    const userId = name === undefined ? undefined : (await findUser(name)).userId;
    const auditDays = Number(service.auditDays);
    const survey = await surveyRetention({ keep, userId, auditDays });
    printSurplus(survey, keep, terminal);
    if (userId === undefined) printAuditAges(survey.audit, auditDays, terminal);
    if (isDry || keep === undefined || survey.owners.size === 0) return true;
    await confirmByName(terminal, {
      name: name ?? new URL(service.baseUrl).host,
      isSure: options.yes,
      warning: "These versions will be deleted. Nothing restores them.",
    });
    const act = await operatorAct(service, "retention");
    terminal.print(`Versions deleted: ${await deleteSurplus(keep, act, { userId })}.`);
    return true;
  },
});

/** @throws UsageError if it is no number of versions */
function parseKeep(text: string): number {
  if (/^[1-9][0-9]{0,2}$/.test(text)) return Number(text);
  throw new UsageError(`--keep is ${quote(text)}. Write a whole number of versions from 1, such as 20.`);
}

function printSurplus({ owners }: RetentionSurvey, keep: number | undefined, terminal: Terminal): void {
  const sums = { drops: 0, versions: 0, bytes: 0 };
  for (const [ownerId, { namespace, drops, versions, bytes }] of owners) {
    terminal.print(`${namespace} (${ownerId})  versions ${versions}  drops ${drops}  bytes ${bytes}`);
    sums.drops += drops;
    sums.versions += versions;
    sums.bytes += bytes;
  }
  terminal.print(
    keep === undefined
      ? "All versions are kept: keepVersions is not set."
      : `Versions beyond the newest ${keep}: ${sums.versions} of ${sums.drops} drops, ${sums.bytes} bytes.`,
  );
}

function printAuditAges({ all, over, older }: AuditAges, auditDays: number, terminal: Terminal): void {
  terminal.print(
    `Audit lines: ${all}. Over, and removed by DynamoDB within days: ${over}. Older than auditDays (${auditDays}), written when it was longer: ${older}.`,
  );
}

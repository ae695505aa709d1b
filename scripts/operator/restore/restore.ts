import { UsageError, yesOption } from "../command.ts";
import { defineServiceCommand } from "../service.ts";
import { findTarget } from "../target.ts";
import { restoreAccount, restoreDrop, restoreEverything, restoreFile } from "./restoration.ts";

export const restoreCommand = defineServiceCommand({
  usage: "restore",
  summary: "restores a drop, a file, an account or everything from a backup",
  details: `
Copies items from a table that DynamoDB restored to an earlier time, and corrects the counters. Pages and files come back from their
versions in S3, which keeps pages for 35 days and files for 7. docs/runbook.md, "Restore from backup", says how to get the table.`,
  required: { "from <table>": "the restored table" },
  options: {
    "drop <slug>": "restores a deleted drop",
    "file <address>": "restores a deleted file (…/b/<id>)",
    "user <user id>": "restores a deleted account, without its tokens",
    everything: "copies the whole table over the service's, with accounts and tokens that were deleted since",
    yes: yesOption,
  },
  async run({ options, service, act, confirm, print, printAll }) {
    const { from, drop, file, user, everything } = options;
    if ([drop, file, user, everything].filter(Boolean).length !== 1)
      throw new UsageError(
        "Choose one of --drop <slug>, --file <address>, --user <user id> and --everything.",
      );
    if (from === service.tableName) throw new UsageError(`${from} is the service's own table.`);
    const target = file === undefined ? undefined : await findTarget(service, file);
    if (target?.kind === "page")
      throw new UsageError(`${file} is the address of a page. Use --drop ${target.slug}.`);
    const warning = `Everything in ${from} will be copied over ${service.tableName}.`;
    if (everything) await confirm(service.tableName, warning);
    const backup = { service, from, act: await act("restore") };
    const { itemCount, losses } =
      drop !== undefined
        ? await restoreDrop(backup, drop)
        : target !== undefined
          ? await restoreFile(backup, target)
          : user !== undefined
            ? await restoreAccount(backup, user)
            : await restoreEverything(backup, print);
    printAll(losses, `Items restored from ${from}: ${itemCount}.`);
  },
});

import { confirmByName, defineCommand, UsageError, yesOption } from "../command.ts";
import { operatorAct } from "../operator-act.ts";
import { openService, type Service, serviceOptions } from "../service.ts";
import { findTarget } from "../takedown/takedown-target.ts";
import type { Terminal } from "../terminal.ts";
import { type Restored, restoreAccount, restoreDrop, restoreEverything, restoreFile } from "./restoration.ts";

/** `restore` */
export const restoreCommand = defineCommand({
  name: "restore",
  summary: "restores a drop, a file, an account or everything from a backup",
  details: `
Copies items from a table that DynamoDB restored to an earlier time into the service's table, and corrects the counters. Restores
deleted pages and files first, from the versions in S3: pages for 35 days, files for 7. docs/runbook.md, "Restore from backup", says how
to get the table.`,
  options: {
    ...serviceOptions,
    from: { type: "string", value: "<table>", isRequired: true, help: "the restored table" },
    drop: { type: "string", value: "<slug>", help: "restores a deleted drop" },
    file: { type: "string", value: "<address>", help: "restores a deleted file (…/b/<id>)" },
    user: { type: "string", value: "<user id>", help: "restores a deleted account, without its tokens" },
    everything: {
      type: "boolean",
      help: "copies the whole table over the service's, with accounts and tokens that were deleted since",
    },
    yes: yesOption,
  },
  async run(input, terminal) {
    const { from, drop, file, user, everything } = input.options;
    if ([drop, file, user, everything].filter(Boolean).length !== 1)
      throw new UsageError(
        "Choose one of --drop <slug>, --file <address>, --user <user id> and --everything.",
      );
    const service = await openService(input.options);
    if (from === service.tableName) throw new UsageError(`${from} is the service's own table.`);
    const { itemCount, losses } = await restore(service, input.options, terminal);
    for (const loss of losses) terminal.print(loss);
    terminal.print(`Items restored from ${from}: ${itemCount}.`);
    return true;
  },
});

interface RestoreOptions {
  readonly from: string;
  readonly drop?: string | undefined;
  readonly file?: string | undefined;
  readonly user?: string | undefined;
  readonly yes: boolean;
}

async function restore(
  service: Service,
  { from, drop, file: address, user, yes: isSure }: RestoreOptions,
  terminal: Terminal,
): Promise<Restored> {
  const file = await findFile(service, address);
  const act = await operatorAct(service, "restore");
  if (drop !== undefined) return restoreDrop(service, from, drop, act);
  if (file !== undefined) return restoreFile(service, from, file, act);
  if (user !== undefined) return restoreAccount(service, from, user, act);
  await confirmByName(terminal, {
    name: service.tableName,
    isSure,
    warning: `Everything in ${from} will be copied over ${service.tableName}.`,
  });
  return restoreEverything(service, from, act, (line) => terminal.print(line));
}

async function findFile(service: Service, address: string | undefined) {
  const target = address === undefined ? undefined : await findTarget(service, address);
  if (target?.kind !== "page") return target;
  throw new UsageError(`${address} is the address of a page. Use --drop ${target.slug}.`);
}

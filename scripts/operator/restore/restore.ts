import { type Command, type CommandInput, confirmByName, textOption, UsageError } from "../command.ts";
import { operatorAct } from "../operator-act.ts";
import { openService, type Service, serviceHelp, serviceOptions, serviceUsage } from "../service.ts";
import { parseTarget } from "../takedown/takedown-target.ts";
import type { Terminal } from "../terminal.ts";
import { type Restored, restoreAccount, restoreDrop, restoreEverything, restoreFile } from "./restoration.ts";

/** `restore --from <table>` */
export const restoreCommand: Command = {
  usage: `--from <table> (--drop <slug> | --file <address> | --user <user id> | --everything) ${serviceUsage}`,
  summary: "brings a drop, a file, an account or everything back from a restored table",
  help: `
Copies items from a table that DynamoDB restored to an earlier time into the service's own, and sets the counters right.
Pages and files that were deleted since come back first, from the versions that S3 keeps: pages for 35 days, files for 7.
docs/runbook.md, "Restore from backup", says how to get that table.

  --from <table>   the restored table
  --drop <slug>    a drop that was deleted
  --file <address> a file that was deleted, by its address (…/b/<id>)
  --user <user id> an account that was deleted, without its tokens
  --everything     all of the table, over what is there: accounts and tokens that were deleted since come back
  --yes            does not ask${serviceHelp}`,
  options: {
    ...serviceOptions,
    from: { type: "string" },
    drop: { type: "string" },
    file: { type: "string" },
    user: { type: "string" },
    everything: { type: "boolean" },
    yes: { type: "boolean" },
  },
  async run(input, terminal) {
    const from = textOption(input, "from");
    if (from === undefined) throw new UsageError("Say where from: --from <table>.");
    const wanted = ["drop", "file", "user", "everything"].filter((name) => input.options[name] !== undefined);
    if (wanted.length !== 1 || input.words.length > 0)
      throw new UsageError("Say what: --drop <slug>, --file <address>, --user <user id> or --everything.");
    const service = await openService(input);
    if (from === service.tableName) throw new UsageError(`${from} is the service's own table.`);
    const { itemCount, losses } = await restore(service, from, input, terminal);
    for (const loss of losses) terminal.print(loss);
    terminal.print(`Items restored from ${from}: ${itemCount}.`);
    return true;
  },
};

async function restore(
  service: Service,
  from: string,
  input: CommandInput,
  terminal: Terminal,
): Promise<Restored> {
  const file = parseFile(service, textOption(input, "file"));
  const act = await operatorAct(service, "restore");
  const slug = textOption(input, "drop");
  if (slug !== undefined) return restoreDrop(service, from, slug, act);
  if (file !== undefined) return restoreFile(service, from, file, act);
  const userId = textOption(input, "user");
  if (userId !== undefined) return restoreAccount(service, from, userId, act);
  await confirmByName(terminal, {
    name: service.tableName,
    isSure: input.options.yes === true,
    warning: `Everything in ${from} will be put over what is in ${service.tableName}.`,
  });
  return restoreEverything(service, from, act, (line) => terminal.print(line));
}

function parseFile(service: Service, address: string | undefined) {
  const target = address === undefined ? undefined : parseTarget(service, address);
  if (target?.kind !== "page") return target;
  throw new UsageError(`${address} is the address of a page: write --drop ${target.slug}.`);
}

import { type Command, type CommandInput, textOption, UsageError } from "./command.ts";
import { operatorAct } from "./operator-act.ts";
import { type Restored, restoreAccount, restoreDrop, restoreEverything } from "./restoration.ts";
import { openService, type Service, serviceHelp, serviceOptions, serviceUsage } from "./service.ts";
import { confirmByName, type Terminal } from "./terminal.ts";

/** `restore --from <table>` */
export const restoreCommand: Command = {
  usage: `--from <table> (--drop <slug> | --user <user id> | --everything) ${serviceUsage}`,
  summary: "brings a drop, an account or everything back from a restored table",
  help: `
Copies items from a table that DynamoDB restored to an earlier time into the service's own, and sets the counters right.
docs/runbook.md, "Restore from backup", says how to get that table, and how to bring the pages back: pages first.

  --from <table>   the restored table
  --drop <slug>    a drop that was deleted
  --user <user id> an account that was deleted, without its tokens; files that were deleted stay gone
  --everything     all of the table, over what is there: accounts and tokens that were deleted since come back
  --yes            does not ask${serviceHelp}`,
  options: {
    ...serviceOptions,
    from: { type: "string" },
    drop: { type: "string" },
    user: { type: "string" },
    everything: { type: "boolean" },
    yes: { type: "boolean" },
  },
  async run(input, terminal) {
    const from = textOption(input, "from");
    if (from === undefined) throw new UsageError("Say where from: --from <table>.");
    const wanted = ["drop", "user", "everything"].filter((name) => input.options[name] !== undefined);
    if (wanted.length !== 1 || input.words.length > 0)
      throw new UsageError("Say what: --drop <slug>, --user <user id> or --everything.");
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
  const act = await operatorAct(service, "restore");
  const slug = textOption(input, "drop");
  if (slug !== undefined) return restoreDrop(service, from, slug, act);
  const userId = textOption(input, "user");
  if (userId !== undefined) return restoreAccount(service, from, userId, act);
  await confirmByName(terminal, {
    name: service.tableName,
    isSure: input.options.yes === true,
    warning: `Everything in ${from} will be put over what is in ${service.tableName}.`,
  });
  return restoreEverything(from, act, (line) => terminal.print(line));
}

import { paginateScan } from "@aws-sdk/client-dynamodb";
import { drops } from "../../../functions/drops/store.ts";
import type { Act } from "../../../functions/table/audit.ts";
import { keys } from "../../../functions/table/keys.ts";
import { dynamodb, fromAttributes, tableName, toAttributes } from "../../../functions/table/table.ts";
import { type Command, type CommandInput, UsageError } from "../command.ts";
import { operatorAct } from "../operator-act.ts";
import { openService, serviceHelp, serviceOptions, serviceUsage } from "../service.ts";
import type { Terminal } from "../terminal.ts";
import { findUser } from "../users.ts";
import { type Counts, compareCounts } from "./counts.ts";
import { compareVersions } from "./version-counts.ts";

/** `recount [<user> | --all]` */
export const recountCommand: Command = {
  usage: `(<user id or namespace> | --all) ${serviceUsage}`,
  summary: "compares the counters that quotas go by with what there is",
  help: `
Counts drops and files of an account and their bytes, and the versions of each drop, and compares them with the counters. They
should never differ. May be run at any time: what is written meanwhile is counted again.

  --all            every account: reads the whole table
  --fix            sets right what differs${serviceHelp}`,
  options: { ...serviceOptions, all: { type: "boolean" }, fix: { type: "boolean" } },
  async run(input, terminal) {
    const [name] = input.words;
    const isAll = input.options.all === true;
    if (input.words.length > 1 || (name === undefined) !== isAll)
      throw new UsageError("Say which account, or --all.");
    const act = await operatorAct(await openService(input), "recount");
    const userIds = name === undefined ? await listUserIds() : [(await findUser(name)).userId];
    let isWell = true;
    for (const userId of userIds) isWell = (await recount(userId, act, input, terminal)) && isWell;
    terminal.print(`Accounts counted: ${userIds.length}.`);
    return isWell;
  },
};

/** Whether all is well by now. */
async function recount(
  userId: string,
  act: Act,
  { options }: CommandInput,
  terminal: Terminal,
): Promise<boolean> {
  const fix = options.fix === true;
  const comparison = await compareCounts(userId, fix, act);
  if (comparison === undefined) return true;
  const { stored, counted, verdict } = comparison;
  if (verdict !== "equal") {
    const suffix = verdict === "fixed" ? ": fixed" : "";
    terminal.print(`${userId} says ${describe(stored)}, and has ${describe(counted)}${suffix}.`);
  }
  let isWell = verdict !== "different";
  for (const drop of await drops.list(userId)) {
    const found = await compareVersions(drop, fix, act);
    if (found === undefined) continue;
    terminal.print(`${found.slug} ${found.problem}${found.isFixed ? ": fixed" : ""}.`);
    isWell &&= found.isFixed;
  }
  return isWell;
}

function describe({ dropCount, pageBytes, blobCount, blobBytes }: Counts): string {
  return `${dropCount} drops of ${pageBytes} bytes, ${blobCount} files of ${blobBytes} bytes`;
}

async function listUserIds(): Promise<string[]> {
  const { pk, sk } = keys.account("");
  const pages = paginateScan(
    { client: dynamodb },
    {
      TableName: tableName(),
      FilterExpression: "sk = :sk AND begins_with(pk, :pk)",
      ExpressionAttributeValues: toAttributes({ ":pk": pk, ":sk": sk }),
      ProjectionExpression: "pk",
    },
  );
  const userIds: string[] = [];
  for await (const { Items: items = [] } of pages) {
    userIds.push(...items.map((item) => String(fromAttributes(item).pk).slice(pk.length)));
  }
  return userIds;
}

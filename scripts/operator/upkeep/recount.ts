import { drops } from "../../../functions/drops/store.ts";
import type { Act } from "../../../functions/table/audit.ts";
import { keys } from "../../../functions/table/keys.ts";
import { defineCommand, UsageError } from "../command.ts";
import { operatorAct } from "../operator-act.ts";
import { openService, serviceOptions } from "../service.ts";
import { findItems } from "../table-reads.ts";
import type { Terminal } from "../terminal.ts";
import { findUser, userIdOf } from "../users.ts";
import { type Counts, compareCounts } from "./counts.ts";
import { compareVersions } from "./version-counts.ts";

/** `recount` */
export const recountCommand = defineCommand({
  name: "recount",
  words: "[<account>]",
  summary: "compares the quota counters with the table",
  details: `
Counts the drops and files of an account (a user id or a namespace), their bytes, and the versions of each drop. The counters should never
differ. Run it at any time: it counts again what changes meanwhile.`,
  options: {
    ...serviceOptions,
    all: { type: "boolean", help: "every account; reads the whole table" },
    fix: { type: "boolean", help: "corrects the counters" },
  },
  async run(input, terminal) {
    const [name] = input.words;
    const { all: isAll, fix: isFixed } = input.options;
    if ((name === undefined) !== isAll) throw new UsageError("Name an account, or use --all.");
    const act = await operatorAct(await openService(input.options), "recount");
    const userIds = name === undefined ? await listUserIds() : [(await findUser(name)).userId];
    let isWell = true;
    for (const userId of userIds) isWell = (await recount(userId, act, isFixed, terminal)) && isWell;
    terminal.print(`Accounts counted: ${userIds.length}.`);
    return isWell;
  },
});

/** Resolves to false if a counter is wrong and was not corrected. */
async function recount(userId: string, act: Act, fix: boolean, terminal: Terminal): Promise<boolean> {
  const comparison = await compareCounts(userId, fix, act);
  if (comparison === undefined) return true;
  const { stored, counted, verdict } = comparison;
  if (verdict !== "equal") {
    const suffix = verdict === "fixed" ? ": fixed" : "";
    terminal.print(`${userId} counts ${describe(stored)}, and has ${describe(counted)}${suffix}.`);
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

function describe({ dropCount, pageBytes, trashBytes, blobCount, blobBytes }: Counts): string {
  const trash = trashBytes === 0 ? "" : ` with ${trashBytes} in the trash`;
  return `${dropCount} drops of ${pageBytes} bytes${trash}, ${blobCount} files of ${blobBytes} bytes`;
}

async function listUserIds(): Promise<string[]> {
  return (await findItems("sk = :account", { ":account": keys.account("").sk })).map(userIdOf);
}

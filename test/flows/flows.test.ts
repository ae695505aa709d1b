import { AsyncLocalStorage } from "node:async_hooks";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Context } from "aws-lambda";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { OperationId } from "../../functions/routes.ts";
import { type WorkerId, workerIds } from "../../functions/workers.ts";
import { handlerOf } from "../../lib/bundle/function-source.ts";
import { startFaultyService } from "../faults/faulty-service.ts";
import { givenDrop, givenWorld } from "../faults/given-world.ts";
import { namedRecipes } from "../faults/operation-recipes.ts";
import { workerRecipes } from "../faults/worker-recipes.ts";
import { toEvent } from "../support/operation-caller.ts";
import { sendInOrder } from "./aws-call-order.ts";

/** Number of files that a warm call enters, and of changes of the folder between them. */
interface Budget {
  readonly files: number;
  readonly moves: number;
}

const budgetsFile = join(import.meta.dirname, "budgets.json");
const budgets: Record<string, Budget> = JSON.parse(readFileSync(budgetsFile, "utf8"));
/**
 * `FLOWS=write npm run flows` writes missing and lower budgets; `FLOWS="list view-drop" npm run flows` also prints
 * the files of that call in order.
 */
const mode = process.env.FLOWS ?? "";

/** The files that a call has entered so far. Timers left over from an earlier call count for that call. */
const enteredFiles = new AsyncLocalStorage<Set<string>>();
Object.assign(globalThis, { dropleafEnter: (file: string) => enteredFiles.getStore()?.add(file) });

/** Calls a handler as Lambda does. */
async function filesEnteredByHandler(id: OperationId | WorkerId, event: unknown): Promise<string[]> {
  const { file, exportName } = handlerOf(id);
  const module = await import(resolve(import.meta.dirname, "../..", file));
  const context = { awsRequestId: "flows", getRemainingTimeInMillis: () => 15 * 60_000 } as Context;
  const entered = new Set<string>();
  const response = await enteredFiles.run(entered, () => module[exportName](event, context));
  if (response?.statusCode >= 400) throw new Error(`${id} failed: ${response.body}`);
  return [...entered];
}

/** A warm call of each operation and worker by its id. */
const calls: readonly (readonly [string, () => Promise<string[]>])[] = [
  ...namedRecipes
    .filter(([, , , isVariant]) => !isVariant)
    .map(
      ([, id, recipe]) =>
        [
          id,
          async () => {
            const { call } = await recipe.prepare(await givenWorld(recipe.tokens ?? 1));
            return filesEnteredByHandler(id, toEvent(id, call));
          },
        ] as const,
    ),
  ...workerIds.map(
    (id) =>
      [
        id,
        async () => {
          const world = await givenWorld(1);
          await givenDrop(world);
          const [recipe] = workerRecipes[id];
          const { event } = (await recipe?.prepare(world)) ?? {};
          return filesEnteredByHandler(id, event);
        },
      ] as const,
  ),
];

let stop: () => Promise<void>;
const measured = new Map<string, readonly string[]>();
beforeAll(async () => {
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const stopService = await startFaultyService();
  const sendAtOnce = sendInOrder();
  stop = async () => {
    sendAtOnce();
    await stopService();
  };
  for (const [id, callOnce] of calls) {
    await callOnce();
    measured.set(id, await callOnce());
  }
});
afterAll(async () => {
  vi.restoreAllMocks();
  await stop();
  if (mode === "write") writeBudgets();
  if (mode !== "") print();
});

function measure(files: readonly string[]): Budget {
  const moves = files.filter((file, index) => index > 0 && dirname(file) !== dirname(files[index - 1] ?? ""));
  return { files: files.length, moves: moves.length };
}

const budgetOf = (id: string): Budget => budgets[id] ?? { files: 0, moves: 0 };

function exceeds(id: string, files: readonly string[]): boolean {
  const { files: filesMax, moves: movesMax } = budgetOf(id);
  return files.length > filesMax || measure(files).moves > movesMax;
}

test.each(calls.map(([id]) => id))(
  "%s enters no more files, and changes folders no more often, than its budget",
  (id) => {
    const files = measured.get(id) ?? [];
    const { files: filesMax, moves: movesMax } = budgetOf(id);
    const { moves } = measure(files);

    expect(files).not.toEqual([]);
    if (mode === "write") return;
    expect(
      budgets[id],
      `${id} has no budget yet. Write its first one: FLOWS=write npm run flows`,
    ).toBeDefined();
    expect(
      exceeds(id, files),
      `${id} enters ${files.length} files with ${moves} moves; its budget is ${filesMax} and ${movesMax}. ` +
        `Put what is read together into one file, or let the call do less. In order:\n${files.join("\n")}`,
    ).toBe(false);
  },
);

test("every budget belongs to an existing call", () => {
  expect(Object.keys(budgets).filter((id) => !measured.has(id))).toEqual([]);
});

/** Writes the budgets. An existing budget can only be lowered. */
function writeBudgets(): void {
  const lowered = [...measured].map(([id, files]) => {
    const now = measure(files);
    const before = budgets[id] ?? now;
    const budget = { files: Math.min(now.files, before.files), moves: Math.min(now.moves, before.moves) };
    return [id, budget] as const;
  });
  const lines = lowered.map(
    ([id, { files, moves }]) => `  "${id}": { "files": ${files}, "moves": ${moves} }`,
  );
  writeFileSync(budgetsFile, `{\n${lines.join(",\n")}\n}\n`);
}

function print(): void {
  const asked = mode.split(" ").slice(1);
  for (const [id, files] of measured) {
    const { moves } = measure(files);
    process.stderr.write(`${id} | ${files.length} files | ${moves} moves\n`);
    if (asked.includes(id)) process.stderr.write(`${files.map((file) => `  ${file}`).join("\n")}\n`);
  }
}

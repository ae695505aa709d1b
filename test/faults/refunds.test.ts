// @module-tag slow

import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { OperationId } from "../../functions/routes.ts";
import { cookieKeys } from "../../functions/table/cookie-keys.ts";
import { hashSecret } from "../../functions/table/identifiers.ts";
import { keys } from "../../functions/table/keys.ts";
import { getItem } from "../../functions/table/table.ts";
import { askOperation } from "../support/operation-caller.ts";
import type { AwsCall } from "./aws-call.ts";
import { faults } from "./fault.ts";
import { execute } from "./faulty-aws.ts";
import { startFaultyService } from "./faulty-service.ts";
import { givenWorld, type World } from "./given-world.ts";
import { namedRecipes } from "./operation-recipes.ts";

let stop: () => Promise<void>;

beforeAll(async () => {
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  stop = await startFaultyService();
  await cookieKeys.ensure();
});
afterAll(async () => {
  vi.restoreAllMocks();
  await stop();
});

const isTransaction = ({ command }: AwsCall) => command === "TransactWriteItems";
const isPageUpload = ({ command }: AwsCall) => command === "PutObject";
const conflict = "conflicts with transactions at every attempt";
const failure = "fails before it is sent";
const loss = "commits and then responds with an error";

/** Reads the counted writes: per token, or per account for account pages. */
async function readCounts({ token, userId }: World, isByBrowser: boolean) {
  const item = await getItem(
    isByBrowser ? keys.rateWindow("browser", userId) : keys.token(hashSecret(token)),
  );
  return { minute: Number(item?.minuteCount ?? 0), day: Number(item?.dayCount ?? 0) };
}

/** Calls an operation with a fault, and returns the status and the writes that were counted for the call. */
async function countWrites(id: OperationId, isMeant: (call: AwsCall) => boolean, faultName: string) {
  const recipe = namedRecipes.find(([, one]) => one === id)?.[2];
  const fault = faults.find(({ name }) => name === faultName);
  if (recipe === undefined || fault === undefined)
    throw new Error(`There is no ${id}, or no "${faultName}".`);
  const isByBrowser = id.includes("-own-");
  const tried = await givenWorld(1);
  const { calls } = await execute(async () => askOperation(id, (await recipe.prepare(tried)).call));
  const call = calls.findLast(isMeant);
  if (call === undefined) throw new Error(`${id} makes no such call.`);
  const world = await givenWorld(1);
  const { call: request } = await recipe.prepare(world);
  const before = await readCounts(world, isByBrowser);
  const first = { ...call, number: 1 };
  const { result, isHit } = await execute(() => askOperation(id, request), { call: first, fault });
  const after = await readCounts(world, isByBrowser);
  expect(isHit).toBe(true);
  return { status: result?.status, minute: after.minute - before.minute, day: after.day - before.day };
}

test.each(["publish-drop", "edit-own-drop"] as const)(
  "%s refunds its counted write if its transaction conflicted at every attempt",
  async (id) => {
    expect(await countWrites(id, isTransaction, conflict)).toEqual({ status: 503, minute: 0, day: 1 });
  },
);

test("a publication whose page could not be stored refunds its counted write", async () => {
  expect(await countWrites("publish-drop", isPageUpload, failure)).toEqual({
    status: 503,
    minute: 0,
    day: 1,
  });
});

test.each([loss, failure])(
  "a transaction that %s keeps its counted write, because it may have succeeded",
  async (fault) => {
    for (const id of ["edit-drop", "edit-own-drop"] as const)
      expect(await countWrites(id, isTransaction, fault)).toEqual({ status: 503, minute: 1, day: 1 });
  },
);

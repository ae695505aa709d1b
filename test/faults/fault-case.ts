import { expect } from "vitest";
import { answersText } from "../../functions/answers/answers-text.ts";
import { errorCatalog, wordsFor } from "../../functions/core/errors.ts";
import { type OperationId, routeOf } from "../../functions/routes.ts";
import { accountCreation, scimActions } from "../../functions/table/audit.ts";
import { askOperation, type OperationResponse } from "../support/operation-caller.ts";
import type { AwsCall } from "./aws-call.ts";
import type { FaultOutcome } from "./fault.ts";
import { type Executed, execute, type PlannedFault } from "./faulty-aws.ts";
import { givenWorld, type World } from "./given-world.ts";
import type { Prepared, Recipe } from "./recipe.ts";
import {
  changesBetween,
  expectPromisesHeld,
  expectRecountEqual,
  readLines,
  readState,
  type StoredState,
} from "./stored-state.ts";

/** Result of an operation without faults. */
export interface Reference {
  readonly calls: readonly AwsCall[];
  /** Changes of the stored items. */
  readonly changes: readonly string[];
}

/** Time limit of a response: the timeout in `lib/lambda/operation-function.ts` less half a second. */
const functionMsMax = 27_500;

/** Time limits in these tests. The later ones are for busy machines that did not reach the fault. */
const slowFunctionMsMax = [3_000, 20_000, 120_000];

/** Runs an operation without a fault, and checks its recipe. */
export async function runWithoutFault(id: OperationId, recipe: Recipe): Promise<Reference> {
  const { world, prepared, before } = await prepare(recipe);
  const { result, calls } = await execute(() => askOperation(id, prepared.call));
  expectSuccess(id, result);
  const changes = await expectPromisesSince(before, world);
  await prepared.expectVisible?.(result);
  if (recipe.isToldBefore) expect(changes).toEqual([]);
  else await expectLine(id, world, result.headers["x-request-id"]);
  await expectRecountEqual(world.userId);
  return { calls, changes };
}

/**
 * Runs an operation with a fault. Expects that the promises hold, that the error has the contract's shape, and that another
 * attempt succeeds.
 *
 * @returns the execution, for checks of late writes
 */
export async function runWithFault(
  id: OperationId,
  recipe: Recipe,
  planned: PlannedFault,
  reference: Reference,
): Promise<Executed<OperationResponse>> {
  const { world, prepared, before, executed } = await meetFault(id, recipe, planned);
  const { result } = executed;
  const changes = await expectPromisesSince(before, world);
  const outcome = outcomeOf(recipe, planned, result);
  if (outcome === "survived") {
    expectSuccess(id, result);
    await prepared.expectVisible?.(result);
    expect(changes).toEqual(reference.changes);
    expect(executed.waitMsMax, "waits between tries").toBeLessThan(functionMsMax);
  } else {
    if (outcome === "refused") expectUnavailable(id, result);
    else expect(result).toBeUndefined();
    expect([[], reference.changes], "the whole write, or nothing").toContainEqual(changes);
    const retried = await (prepared.retry?.() ?? askOperation(id, prepared.call));
    const changesInAll = await expectPromisesSince(before, world);
    const counted = recipe.isDoneAnew ? [...new Set(changesInAll)] : changesInAll;
    if (!recipe.mayRepeat) expect(counted, "done once").toEqual(reference.changes);
    await expectDone(id, recipe, prepared, retried);
    expectOneToken([result, retried]);
  }
  return executed;
}

/** Expects one audit entry for a write or the operation it performs. An account created at the first sign-in has its own entry. */
async function expectLine(id: OperationId, world: World, requestId: string | undefined): Promise<void> {
  const lines = (await readLines(world)).filter(({ act }) => act.requestId === requestId);
  const actions = lines.map(({ act }) => act.action).filter((action) => action !== accountCreation);
  const { caller, grants, performs } = routeOf(id);
  if (id === "call-scim") expectScimLines(actions);
  else if (performs === undefined) expect(actions).toEqual(grants.audit ? [id] : []);
  else expect([actions.length, performs]).toEqual([1, expect.arrayContaining(actions)]);
  const actors = new Set(lines.map(({ act }) => act.actor.kind));
  const people = {
    anyone: performs === undefined ? ["visitor", "reader", "scim"] : ["token"],
    session: ["reader"],
    token: ["token"],
  }[caller];
  if (actions.length > 0) expect(people).toEqual(expect.arrayContaining([...actors]));
}

/** Expects each action once. Deleting an active user also deactivates it. */
function expectScimLines(actions: readonly string[]): void {
  expect([...new Set(actions)]).toEqual(actions);
  expect(scimActions).toEqual(expect.arrayContaining([...actions]));
  expect([1, actions.includes("delete-scim-user") ? 2 : 1]).toContain(actions.length);
}

async function meetFault(id: OperationId, recipe: Recipe, planned: PlannedFault) {
  let made = "";
  // An operation that survives a fault needs time afterwards, even on a busy machine.
  const msMax = recipe.bestEffort?.includes(planned.call.label)
    ? slowFunctionMsMax.slice(1)
    : slowFunctionMsMax;
  for (const remainingMs of planned.fault.isSlow ? msMax : [undefined]) {
    const { prepared, ...given } = await prepare(recipe);
    const executed = await execute(() => askOperation(id, prepared.call, remainingMs), planned);
    if (executed.isHit) return { ...given, prepared, executed };
    made = executed.calls.map(({ label }) => label).join(", ");
  }
  throw new Error(`${id} did not call ${planned.call.label} this time, but ${made}.`);
}

/** Checks that the promises hold, and returns the changes. */
async function expectPromisesSince(before: StoredState, world: World): Promise<string[]> {
  const after = await readState(world);
  await expectPromisesHeld(after);
  return changesBetween(before, after);
}

async function prepare(
  recipe: Recipe,
): Promise<{ readonly world: World; readonly prepared: Prepared; readonly before: StoredState }> {
  const world = await givenWorld(recipe.tokens ?? 1);
  const prepared = await recipe.prepare(world);
  return { world, prepared, before: await readState(world) };
}

/** Returns the expected outcome. A call that the response does not depend on may be abandoned before the fault. */
function outcomeOf(
  { bestEffort = [] }: Recipe,
  { call, fault }: PlannedFault,
  result: OperationResponse | undefined,
): FaultOutcome {
  return bestEffort.includes(call.label) && result !== undefined ? "survived" : fault.outcome;
}

async function expectDone(
  id: OperationId,
  { statusOnceDone }: Recipe,
  prepared: Prepared,
  answer: OperationResponse,
): Promise<void> {
  const { status, text } = answer;
  if (status === statusOnceDone) return;
  expect(goodStatuses(id), `another try answered ${status}: ${text.slice(0, 300)}`).toContain(status);
  await prepared.expectVisible?.(answer);
}

function expectSuccess(
  id: OperationId,
  answer: OperationResponse | undefined,
): asserts answer is OperationResponse {
  const text = answer?.text.slice(0, 300);
  expect(goodStatuses(id), `${id} answered ${answer?.status}: ${text}`).toContain(answer?.status);
}

function goodStatuses(id: OperationId): number[] {
  // Each of the operation's methods has its own status.
  if (id === "call-scim") return [200, 204];
  const { response } = routeOf(id);
  return "alsoStatus" in response && response.alsoStatus
    ? [response.status, response.alsoStatus]
    : [response.status];
}

/** Expects `unavailable` with `Retry-After`, in the operation's shape of errors. */
function expectUnavailable(id: OperationId, answer: OperationResponse | undefined): void {
  const { status, message: both } = errorCatalog.unavailable;
  const message = wordsFor("http", both);
  expect(answer?.status, `${id} answered: ${answer?.text.slice(0, 300)}`).toBe(status);
  const retryAfter = answer?.headers["retry-after"];
  expect(retryAfter).toMatch(/^[1-9][0-9]*$/);
  if (answer?.headers["content-type"]?.startsWith("text/html")) {
    expect(routeOf(id).errorsAs).toBe("page");
    expect(answer.text).toMatch(/^<!doctype html>/i);
    return;
  }
  const body = JSON.parse(answer?.text ?? "");
  if (routeOf(id).resource === "oauth" && typeof body.error === "string") {
    // RFC 6749, section 5.2. An error of the gateway has the contract's shape instead.
    expect(body).toEqual({ error: "temporarily_unavailable", error_description: message });
    return;
  }
  if (routeOf(id).resource === "scim" && body.error === undefined) {
    // RFC 7644, section 3.12. An error of the gateway has the contract's shape instead.
    expect(body).toMatchObject({ status: String(status), detail: expect.stringMatching(message) });
    return;
  }
  const details = { retry_after_seconds: Number(retryAfter) };
  // A page's script shows this message to the person, unless the function itself ended.
  const messages = id === "send-answer" ? [message, answersText.problems.busy] : [message];
  expect(body).toEqual({
    error: { code: "unavailable", message: expect.stringMatching(messages.join("|")), details },
  });
}

/** Expects at most one token plaintext for all attempts with one code. */
function expectOneToken(responses: readonly (OperationResponse | undefined)[]): void {
  const tokens = responses.flatMap((answer) => answer?.text.match(/hb_[A-Za-z0-9]{36}/g) ?? []);
  expect(new Set(tokens).size).toBeLessThanOrEqual(1);
}

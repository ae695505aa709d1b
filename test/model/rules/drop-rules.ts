import { createHash } from "node:crypto";
import { expect } from "vitest";
import { limits } from "../../../functions/core/limits.ts";
import type { DropResponse } from "../../../functions/drops/schemas.ts";
import { expectError } from "../../support/expect-error.ts";
import type { Call, Observation } from "../call.ts";
import { Between, exactly, type Range } from "../range.ts";
import {
  type AccountState,
  type DropState,
  findDrop,
  latestOf,
  ownerAddress,
  withDrop,
  withLeftovers,
} from "../state.ts";
import { isMatched, none, outdated, refuseUnmatched, told } from "./entity-tags.ts";
import { isHeld, refuseHeld } from "./hold-rule.ts";
import { feedbackOf, nothingSaid, type ReachBody, reachAfter } from "./reach-rule.ts";
import { during, expectJson, expectNoContent, type Rule } from "./rule.ts";
import { refuseScope, tooNarrowFor } from "./scope-rule.ts";
import { isOpenToAll, readableBy, refuseVisibility } from "./visibility-rule.ts";

/** How long the edge keeps the latest version's page, and how soon it removes invalidated pages. */
const latestKeptMs = 2_000;
const forgottenMs = 5_000;

/** Fields of a drop that its owner may send. */
export interface DropBody extends ReachBody {
  readonly html: string;
  readonly title?: string;
  readonly description?: string | null;
  readonly context?: string;
  readonly passcode?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly expires_in_days?: number | null;
}

const dayMs = 86_400_000;

/**
 * Wraps a rule for one drop of the account. A missing drop is refused with `not_found`, and another state than If-Match names
 * with 412, unless the call is refused for another reason.
 */
export function onDrop(
  rule: (state: AccountState, drop: DropState, observation: Observation) => AccountState,
): Rule {
  return (state, observation) => {
    const drop = findDrop(state, observation.call.params?.slug);
    const body = (observation.call.body ?? {}) as ReachBody;
    if (drop !== undefined && reachAfter(drop, body, drop.passcode !== undefined) === undefined)
      return refuseVisibility(state, observation);
    // An edit is refused for its scope first, and a version for its condition.
    const isEdit = observation.call.operation === "edit-drop";
    const narrow =
      isEdit && drop ? tooNarrowFor(drop, afterEdit(drop, observation), state, observation) : undefined;
    if (narrow) return refuseScope(state, narrow, "all", observation);
    if (drop !== undefined && !isMatched(drop, observation)) return refuseUnmatched(state, drop, observation);
    if (drop !== undefined) return rule(state, drop, observation);
    expectError(observation.response, "not_found");
    return state;
  };
}

/** Wraps a rule for calls that also find expired drops. A refused call leaves the drop expired. */
function orExpired(rule: Rule, isFor: (call: Call) => boolean = () => true): Rule {
  return (state, observation) => {
    const { call, response } = observation;
    const expired = state.expired.find(({ slug }) => slug === call.params?.slug);
    if (expired === undefined || !isFor(call)) return rule(state, observation);
    const after = rule(broughtBack(state, expired), observation);
    return response.status < 300 ? after : state;
  };
}

/** Moves an expired drop back to the live ones. */
export function broughtBack(state: AccountState, drop: DropState): AccountState {
  return {
    ...state,
    drops: [...state.drops, drop].toSorted(byPublication),
    expired: state.expired.filter(({ slug }) => slug !== drop.slug),
    deletedSlugs: state.deletedSlugs.filter((slug) => slug !== drop.slug),
  };
}

/** Compares drops by their creation time. */
export function byPublication(one: DropState, other: DropState): number {
  return one.createdAtMs - other.createdAtMs;
}

/** POST /api/drops */
export const publishDrop: Rule = (state, observation) => {
  const body = observation.call.body as DropBody;
  return expectPublished(state, body, observation);
};

/** Checks the response of a call that created a drop, and adds the drop. */
export function expectPublished(state: AccountState, body: DropBody, observation: Observation): AccountState {
  const { title = "", passcode = "" } = body;
  const reach = reachAfter(nothingSaid, body, passcode !== "");
  if (reach === undefined) return refuseVisibility(state, observation);
  // The response determines the slug and the time.
  const { slug = "none" } = JSON.parse(observation.response.text) as Partial<DropResponse>;
  const dropWith = (createdAtMs: number): DropState => ({
    slug,
    title: title.trim(),
    description: body.description ?? null,
    metadata: body.metadata ?? {},
    passcode: passcode === "" ? undefined : passcode,
    gateEpoch: passcode === "" ? 0 : 1,
    ...reach,
    expiresAtMs: expiryAfter(undefined, body, observation),
    versions: [{ version: 1, html: body.html, context: body.context || undefined, createdAtMs }],
    nextVersion: 2,
    createdAtMs,
    updatedAtMs: exactly(createdAtMs),
    views: exactly(0),
    wrongGuesses: 0,
    tags: none,
  });
  const at = new Between(during(observation));
  const page = publicationOf(body);
  const expected = { ...presented(state, dropWith(0)), created_at: at, updated_at: at, ...page };
  const answered = expectJson<DropResponse>(observation, expected);
  expect(answered.slug).toMatch(/^[A-Za-z0-9]{7}$/);
  expect(answered.updated_at).toBe(answered.created_at);
  expect([...state.drops.map((other) => other.slug), ...state.deletedSlugs]).not.toContain(slug);
  const drop = told(learn(dropWith(answered.created_at), answered), observation);
  return { ...state, drops: [...state.drops, drop] };
}

/** PUT /api/drops/{slug} */
export const publishVersion = onDrop((state, drop, observation) =>
  expectNewVersion(state, drop, observation.call.body as DropBody, observation),
);

/** Checks the response of a call that created a version, with its other changes. */
export function expectNewVersion(
  state: AccountState,
  drop: DropState,
  body: DropBody,
  observation: Observation,
): AccountState {
  const { response, answeredAtMs } = observation;
  if (drop.versions.length >= limits.versionsPerDropMax) {
    expectError(response, "version_limit_reached");
    return state;
  }
  const version = { version: drop.nextVersion, html: body.html, context: body.context || undefined };
  const dropWith = (base: DropState, createdAtMs: number): DropState => ({
    ...base,
    versions: [...drop.versions, { ...version, createdAtMs }],
    nextVersion: drop.nextVersion + 1,
  });
  const next = edited(dropWith(drop, 0), body);
  const narrow = tooNarrowFor(drop, next, state, observation);
  if (narrow) return refuseScope(state, narrow, "all", observation);
  const page = publicationOf(body, changeWarnings(drop, body));
  const after = expectChanged(state, next, observation, page);
  const before = withLeftovers(state, drop.slug, [latestOf(drop).html], answeredAtMs + latestKeptMs);
  return forgetIfClosed(withDrop(before, dropWith(after, after.updatedAtMs.from)), drop, observation);
}

/** PATCH /api/drops/{slug}: a call without fields keeps `updated_at`. A call with an expiry brings an expired drop back. */
export const editDrop = orExpired(
  onDrop((state, drop, observation) => expectEdited(state, drop, observation)),
  ({ body }) => "expires_in_days" in ((body ?? {}) as object),
);

function expectEdited(state: AccountState, drop: DropState, observation: Observation): AccountState {
  const body = (observation.call.body ?? {}) as Partial<DropBody>;
  const fields = [
    ...["title", "description", "metadata", "visibility", "readers", "indexed", "feedback", "answers"],
    "answers_results",
    "expires_in_days",
  ];
  if (!fields.some((field) => field in body))
    return withDrop(state, expectDrop(state, drop, observation, nothingChanged(body)));
  const next = afterEdit(drop, observation);
  const said = withWarnings({}, changeWarnings(drop, body));
  const after = withDrop(state, expectChanged(state, next, observation, said));
  return forgetIfClosed(after, drop, observation);
}

/** Returns a drop after an edit. */
function afterEdit(drop: DropState, observation: Observation): DropState {
  const body = (observation.call.body ?? {}) as Partial<DropBody>;
  return { ...edited(drop, body), expiresAtMs: expiryAfter(drop.expiresAtMs, body, observation) };
}

/** Returns a drop's expiry after a call. */
function expiryAfter(
  before: Range | undefined,
  { expires_in_days: days }: Partial<DropBody>,
  { sentAtMs, answeredAtMs }: Observation,
): Range | undefined {
  if (days === undefined) return before;
  return days === null ? undefined : { from: sentAtMs + days * dayMs, to: answeredAtMs + days * dayMs };
}

/** GET /api/drops/{slug} */
export const getDrop = onDrop((state, drop, observation) =>
  withDrop(state, expectDrop(state, drop, observation)),
);

/** POST /api/drops/{slug}/passcode */
export const setPasscode = onDrop((state, drop, observation) => {
  const { passcode } = observation.call.body as { readonly passcode: string };
  const changed = {
    ...drop,
    passcode: passcode === "" ? undefined : passcode,
    indexed: drop.indexed && passcode === "",
    gateEpoch: drop.gateEpoch + 1,
  };
  const after = withDrop(state, expectChanged(state, changed, observation));
  return forgetIfClosed(after, drop, observation);
});

/** DELETE /api/drops/{slug} */
export const deleteDrop = orExpired(
  onDrop((state, drop, observation) => {
    if (isHeld(state, drop.slug)) return refuseHeld(state, observation);
    expectNoContent(observation);
    const drops = state.drops.filter(({ slug }) => slug !== drop.slug);
    const deletedSlugs = [...state.deletedSlugs, drop.slug];
    const trash = [...state.trash, { drop, reason: "deleted", deletedAtMs: during(observation) } as const];
    return forgetSoon({ ...state, drops, deletedSlugs, trash }, drop, observation);
  }),
);

/** Applies a call's fields to a drop. */
export function edited(drop: DropState, body: Partial<DropBody>): DropState {
  const { title, description, metadata } = body;
  return {
    ...drop,
    ...reachAfter(drop, body, drop.passcode !== undefined),
    title: title?.trim() ?? drop.title,
    description: description === undefined ? drop.description : description,
    metadata: metadata ?? drop.metadata,
  };
}

/**
 * Checks a drop that the call changed, and returns it with the response's values.
 *
 * @param page expected values about a published page
 */
function expectChanged(
  state: AccountState,
  drop: DropState,
  observation: Observation,
  page: object = {},
): DropState {
  const changed = { ...drop, updatedAtMs: during(observation), tags: outdated(drop) };
  return expectDrop(state, changed, observation, page);
}

function expectDrop(
  state: AccountState,
  drop: DropState,
  observation: Observation,
  page: object = {},
): DropState {
  const expected = { ...presented(state, drop), ...page };
  return told(learn(drop, expectJson<DropResponse>(observation, expected)), observation);
}

/** Returns the expected values about a published page, with a warning about HTML without tags. */
function publicationOf({ html }: DropBody, warnings: readonly string[] = []): object {
  const sha256 = createHash("sha256").update(html).digest("hex");
  // A run's drops have no comments.
  const said = { sha256, open_feedback: 0 };
  return withWarnings(said, html.includes("<") ? warnings : [...warnings, "html has no tags"]);
}

/** Returns the warning about a PATCH without fields. */
export function nothingChanged(body: object): object {
  return withWarnings({}, Object.keys(body).length === 0 ? ["Nothing has changed"] : []);
}

function withWarnings(said: object, parts: readonly string[]): object {
  return parts.length === 0
    ? said
    : { ...said, warnings: parts.map((part) => expect.stringContaining(part)) };
}

/** Returns parts of the warnings about side effects of a change. */
export function changeWarnings(before: DropState, body: Partial<DropBody>): string[] {
  const after = edited(before, body);
  const keys = Object.keys(after.metadata);
  const isRemoved = (key: string) => !keys.includes(key);
  const feedback = feedbackOf(after);
  return [
    ...(keys.length > 0 && Object.keys(before.metadata).some(isRemoved)
      ? ["replaced all tags, which removed"]
      : []),
    ...(body.feedback === undefined && feedbackOf(before) !== feedback
      ? [`set feedback to "${feedback}"`]
      : []),
  ];
}

/** Updates a drop with the values of a response. */
export function learn(drop: DropState | undefined, response: DropResponse): DropState {
  if (drop === undefined) throw new Error(`The drop ${response.slug} does not belong to the account.`);
  return {
    ...drop,
    updatedAtMs: exactly(response.updated_at),
    expiresAtMs: response.expires_at === null ? undefined : exactly(response.expires_at),
    views: { from: response.view_count, to: drop.views.to },
  };
}

/** Returns the expected presentation of a drop, by section "Drop" of the specification. */
export function presented(state: AccountState, drop: DropState): object {
  const owner = ownerAddress({ ...state, namespace: drop.namespace ?? state.namespace });
  return {
    slug: drop.slug,
    title: drop.title,
    description: drop.description,
    url: `${owner}/d/${drop.slug}`,
    raw_url: `${owner}/p/${drop.slug}/raw`,
    locked: drop.passcode !== undefined,
    latest_version: latestOf(drop).version,
    view_count: new Between(drop.views),
    metadata: drop.metadata,
    created_at: drop.createdAtMs,
    updated_at: new Between(drop.updatedAtMs),
    visibility: drop.visibility,
    ...(drop.visibility === "people" ? { readers: drop.readers } : {}),
    readable_by: readableBy(drop),
    indexed: drop.indexed,
    feedback: feedbackOf(drop),
    answers: drop.answers ?? "off",
    answers_results: drop.showsResults ?? false,
    expires_at: drop.expiresAtMs === undefined ? null : new Between(drop.expiresAtMs),
  };
}

/** Adds a drop's pages to the leftovers if the drop has just stopped being public. */
export function forgetIfClosed(
  state: AccountState,
  before: DropState,
  observation: Observation,
): AccountState {
  const after = findDrop(state, before.slug);
  const isClosed = after !== undefined && isKept(before) && !isKept(after);
  return isClosed ? forgetSoon(state, before, observation) : state;
}

/** Checks if the edge may cache the drop's pages. */
function isKept(drop: DropState): boolean {
  return drop.passcode === undefined && isOpenToAll(drop);
}

/** Adds all pages of a drop to the leftovers, which the edge may still serve for seconds. */
export function forgetSoon(
  state: AccountState,
  drop: DropState,
  { answeredAtMs }: Observation,
): AccountState {
  const texts = drop.versions.map(({ html }) => html);
  return withLeftovers(state, drop.slug, texts, answeredAtMs + forgottenMs);
}

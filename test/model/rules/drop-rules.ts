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

/** How long the edge keeps a page that has no version in its address, and how soon it forgets what must go. */
const latestKeptMs = 2_000;
const forgottenMs = 5_000;

/** What the owner may send of a drop. */
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
 * Calls on one drop of the account, whose absence is `not_found`; and where If-Match names another state of it, 412, unless
 * they would be refused without it.
 */
export function onDrop(
  rule: (state: AccountState, drop: DropState, observation: Observation) => AccountState,
): Rule {
  return (state, observation) => {
    const drop = findDrop(state, observation.call.params?.slug);
    const body = (observation.call.body ?? {}) as ReachBody;
    if (drop !== undefined && reachAfter(drop, body, drop.passcode !== undefined) === undefined)
      return refuseVisibility(state, observation);
    // An edit is refused for its scope first, a version for the condition.
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

/** Calls that find an expired drop too: what is refused leaves it expired. */
function orExpired(rule: Rule, isFor: (call: Call) => boolean = () => true): Rule {
  return (state, observation) => {
    const { call, response } = observation;
    const expired = state.expired.find(({ slug }) => slug === call.params?.slug);
    if (expired === undefined || !isFor(call)) return rule(state, observation);
    const after = rule(broughtBack(state, expired), observation);
    return response.status < 300 ? after : state;
  };
}

/** The account with an expired drop among the others. */
export function broughtBack(state: AccountState, drop: DropState): AccountState {
  return {
    ...state,
    drops: [...state.drops, drop].toSorted(byPublication),
    expired: state.expired.filter(({ slug }) => slug !== drop.slug),
    deletedSlugs: state.deletedSlugs.filter((slug) => slug !== drop.slug),
  };
}

/** Compares drops by when they were published. */
export function byPublication(one: DropState, other: DropState): number {
  return one.createdAtMs - other.createdAtMs;
}

/** POST /api/drops */
export const publishDrop: Rule = (state, observation) => {
  const body = observation.call.body as DropBody;
  return expectPublished(state, body, observation);
};

/** Checks the response of a call that has made a drop, and adds it. */
export function expectPublished(state: AccountState, body: DropBody, observation: Observation): AccountState {
  const { title = "", passcode = "" } = body;
  const reach = reachAfter(nothingSaid, body, passcode !== "");
  if (reach === undefined) return refuseVisibility(state, observation);
  // The slug and the time are the response's to tell.
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

/** Checks the response of a call that has made a version, with what came along. */
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

/** PATCH /api/drops/{slug}: what changes nothing leaves the time of the last change too. With an expiry, it brings an expired drop back. */
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

/** A drop as an edit leaves it. */
function afterEdit(drop: DropState, observation: Observation): DropState {
  const body = (observation.call.body ?? {}) as Partial<DropBody>;
  return { ...edited(drop, body), expiresAtMs: expiryAfter(drop.expiresAtMs, body, observation) };
}

/** When a drop expires after a call. */
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

/** A drop with the fields of a call. */
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

/** Checks a drop that was changed by the call, and gives it with what the response tells. */
/** @param page what the response says of a page that has come */
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

/** What is said of a page that has come, and by a tool too: of all that a run sends, one is surely not what was meant. */
function publicationOf({ html }: DropBody, warnings: readonly string[] = []): object {
  const sha256 = createHash("sha256").update(html).digest("hex");
  // Nobody reads what a run publishes, and writes about it.
  const said = { sha256, open_feedback: 0 };
  return withWarnings(said, html.includes("<") ? warnings : [...warnings, "html has no tags"]);
}

/** The warning about a PATCH without a field. */
export function nothingChanged(body: object): object {
  return withWarnings({}, Object.keys(body).length === 0 ? ["Nothing has changed"] : []);
}

function withWarnings(said: object, parts: readonly string[]): object {
  return parts.length === 0
    ? said
    : { ...said, warnings: parts.map((part) => expect.stringContaining(part)) };
}

/** Parts of the warnings about what a change did besides what its caller named. */
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

/** The drop with what a response tells of it. */
export function learn(drop: DropState | undefined, response: DropResponse): DropState {
  if (drop === undefined) throw new Error(`The drop ${response.slug} is none of the account.`);
  return {
    ...drop,
    updatedAtMs: exactly(response.updated_at),
    expiresAtMs: response.expires_at === null ? undefined : exactly(response.expires_at),
    views: { from: response.view_count, to: drop.views.to },
  };
}

/** The drop as a response has to show it; section "Drop" of the specification. */
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

/** The same, if the drop has just stopped being open to everybody. */
export function forgetIfClosed(
  state: AccountState,
  before: DropState,
  observation: Observation,
): AccountState {
  const after = findDrop(state, before.slug);
  const isClosed = after !== undefined && isKept(before) && !isKept(after);
  return isClosed ? forgetSoon(state, before, observation) : state;
}

/** Whether the edge may keep pages of the drop. */
function isKept(drop: DropState): boolean {
  return drop.passcode === undefined && isOpenToAll(drop);
}

/** The account with all pages of a drop as leftovers: the edge may serve them for seconds. */
export function forgetSoon(
  state: AccountState,
  drop: DropState,
  { answeredAtMs }: Observation,
): AccountState {
  const texts = drop.versions.map(({ html }) => html);
  return withLeftovers(state, drop.slug, texts, answeredAtMs + forgottenMs);
}

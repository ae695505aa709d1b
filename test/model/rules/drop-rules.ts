import { createHash } from "node:crypto";
import { expect } from "vitest";
import type { DropResponse } from "../../../functions/drops/schemas.ts";
import { limits } from "../../../functions/http/limits.ts";
import { expectError } from "../../support/expect-error.ts";
import type { Observation } from "../call.ts";
import { Between, exactly } from "../range.ts";
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
import { nothingSaid, type ReachBody, reachAfter } from "./reach-rule.ts";
import { during, expectJson, expectNoContent, type Rule } from "./rule.ts";
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
}

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
    if (drop !== undefined && !isMatched(drop, observation)) return refuseUnmatched(state, drop, observation);
    if (drop !== undefined) return rule(state, drop, observation);
    expectError(observation.response, "not_found");
    return state;
  };
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
  const drop = told(dropWith(answered.created_at), observation);
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
  const after = expectChanged(state, edited(dropWith(drop, 0), body), observation, publicationOf(body));
  const before = withLeftovers(state, drop.slug, [latestOf(drop).html], answeredAtMs + latestKeptMs);
  return forgetIfClosed(withDrop(before, dropWith(after, after.updatedAtMs.from)), drop, observation);
}

/** PATCH /api/drops/{slug}: what changes nothing leaves the time of the last change too. */
export const editDrop = onDrop((state, drop, observation) => {
  const body = (observation.call.body ?? {}) as Partial<DropBody>;
  const fields = ["title", "description", "metadata", "visibility", "readers", "indexed", "feedback"];
  if (!fields.some((field) => field in body)) return withDrop(state, expectDrop(state, drop, observation));
  const after = withDrop(state, expectChanged(state, edited(drop, body), observation));
  return forgetIfClosed(after, drop, observation);
});

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
export const deleteDrop = onDrop((state, drop, observation) => {
  expectNoContent(observation);
  const drops = state.drops.filter(({ slug }) => slug !== drop.slug);
  const deletedSlugs = [...state.deletedSlugs, drop.slug];
  return forgetSoon({ ...state, drops, deletedSlugs }, drop, observation);
});

function edited(drop: DropState, body: Partial<DropBody>): DropState {
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
function publicationOf({ html }: DropBody): object {
  const sha256 = createHash("sha256").update(html).digest("hex");
  // Nobody reads what a run publishes, and writes about it.
  const said = { sha256, open_feedback: 0 };
  return html.includes("<") ? said : { ...said, warnings: [expect.stringContaining("no tag at all")] };
}

/** The drop with what a response tells of it. */
export function learn(drop: DropState | undefined, response: DropResponse): DropState {
  if (drop === undefined) throw new Error(`The drop ${response.slug} is none of the account.`);
  return {
    ...drop,
    updatedAtMs: exactly(response.updated_at),
    views: { from: response.view_count, to: drop.views.to },
  };
}

/** The drop as a response has to show it; section "Drop" of the specification. */
export function presented(state: AccountState, drop: DropState): object {
  const owner = ownerAddress(state);
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
    feedback: drop.feedback ?? (["members", "people"].includes(drop.visibility) ? "readers" : "off"),
    expires_at: null,
  };
}

/** What the edge may hold of a drop goes within seconds when the drop is not everybody's any more. */
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

function forgetSoon(state: AccountState, drop: DropState, { answeredAtMs }: Observation): AccountState {
  const texts = drop.versions.map(({ html }) => html);
  return withLeftovers(state, drop.slug, texts, answeredAtMs + forgottenMs);
}

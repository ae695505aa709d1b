import { expect } from "vitest";
import { expectError } from "../../support/expect-error.ts";
import type { Observation } from "../call.ts";
import { type AccountState, type DropState, type EntityTags, withDrop } from "../state.ts";

/** Of a drop that no response has shown. */
export const none: EntityTags = { now: undefined, past: [] };

/** The tags of a drop that is changed. */
export function outdated({ tags: { now, past } }: DropState): EntityTags {
  return { now: undefined, past: now === undefined ? past : [...past, now] };
}

/** The drop with the entity tag that a response tells, where it is no tool's: it has one until it is changed, and then another. */
export function told(drop: DropState, { call, response }: Observation): DropState {
  return call.byTool ? drop : withTag(drop, response.headers.etag);
}

/** Whether the drop is as the call's If-Match asks; RFC 9110, section 13.1.1: weak tags never match. */
export function isMatched({ tags }: DropState, { call }: Observation): boolean {
  const condition = call.headers?.["if-match"];
  if (condition === undefined || condition === "*") return true;
  return tags.now !== undefined && String(condition).split(", ").includes(tags.now);
}

/** Checks the refusal of a call whose If-Match names another state of the drop: it tells the entity tag, and changes nothing. */
export function refuseUnmatched(
  state: AccountState,
  drop: DropState,
  { response }: Observation,
): AccountState {
  const { details } = expectError(response, "precondition_failed");
  return withDrop(state, withTag(drop, details.etag));
}

function withTag(drop: DropState, tag: unknown): DropState {
  const { now, past } = drop.tags;
  if (now !== undefined) expect(tag).toBe(now);
  expect(tag).toMatch(/^"[\x21\x23-\x7e]+"$/);
  expect(past).not.toContain(tag);
  return { ...drop, tags: { now: String(tag), past } };
}

import { expect } from "vitest";
import { expectError } from "../../support/expect-error.ts";
import type { Observation } from "../call.ts";
import { type AccountState, type DropState, type EntityTags, withDrop } from "../state.ts";

/** Tags of a drop that was in no response yet. */
export const none: EntityTags = { now: undefined, past: [] };

/** Returns the tags of a drop after a change. */
export function outdated({ tags: { now, past } }: DropState): EntityTags {
  return { now: undefined, past: now === undefined ? past : [...past, now] };
}

/** Checks and stores the entity tag in a response, which changes only with the drop. Tools return no tag. */
export function told(drop: DropState, { call, response }: Observation): DropState {
  return call.byTool ? drop : withTag(drop, response.headers.etag);
}

/** Checks if the drop matches the call's If-Match. Weak tags never match (RFC 9110, section 13.1.1). */
export function isMatched({ tags }: DropState, { call }: Observation): boolean {
  const condition = call.headers?.["if-match"];
  if (condition === undefined || condition === "*") return true;
  return tags.now !== undefined && String(condition).split(", ").includes(tags.now);
}

/** Checks the refusal of a call whose If-Match names another state of the drop. It contains the entity tag, and changes nothing. */
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

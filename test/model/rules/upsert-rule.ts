import { expect } from "vitest";
import { expectError } from "../../support/expect-error.ts";
import { type DropState, taggedDrops, withDrop } from "../state.ts";
import { type DropBody, edited, expectNewVersion, expectPublished, forgetIfClosed } from "./drop-rules.ts";
import { isMatched, refuseUnmatched } from "./entity-tags.ts";
import { nothingSaid, reachAfter } from "./reach-rule.ts";
import type { Rule } from "./rule.ts";
import { refuseScope, tooNarrowFor } from "./scope-rule.ts";
import { refuseVisibility } from "./visibility-rule.ts";

/** PUT /api/drops?metadata.<key>=<value>: docs/adr/0013-idempotency-and-upserts.md. */
export const upsertDrop: Rule = (state, observation) => {
  const { response, call } = observation;
  const body = call.body as DropBody;
  const matching = taggedDrops(state, call.query);
  const [found, ...others] = matching;
  if (others.length > 0) {
    const { details } = expectError(response, "several_match");
    expect(details.total).toBe(matching.length);
    expect(new Set(details.slugs as string[])).toEqual(new Set(matching.map(({ slug }) => slug)));
    return state;
  }
  const tags = tagsOf(call.query as readonly (readonly [string, string])[]);
  const { passcode = found?.passcode ?? "" } = body;
  if (reachAfter(found ?? nothingSaid, body, passcode !== "") === undefined)
    return refuseVisibility(state, observation);
  if (found === undefined) {
    if (call.headers?.["if-match"] === undefined) {
      expect(response.status).toBe(201);
      return expectPublished(state, { ...body, metadata: { ...body.metadata, ...tags } }, observation);
    }
    expectError(response, "precondition_failed");
    return state;
  }
  if (!isMatched(found, observation)) return refuseUnmatched(state, found, observation);
  const gated = withPasscode(found, body.passcode);
  const metadata = body.metadata && { ...body.metadata, ...tags };
  const { metadata: _, ...rest } = body;
  const sent = metadata === undefined ? rest : { ...rest, metadata };
  const narrow = tooNarrowFor(found, edited(gated, sent), state, observation);
  if (narrow) return refuseScope(state, narrow, "all", observation);
  expect(response.status).toBe(200);
  const after = expectNewVersion(withDrop(state, gated), gated, sent, observation);
  return forgetIfClosed(after, found, observation);
};

/** Sets a passcode. Sending the current one does not invalidate unlock cookies. */
function withPasscode(drop: DropState, sent: string | undefined): DropState {
  const passcode = sent === undefined ? drop.passcode : sent || undefined;
  return passcode === drop.passcode ? drop : { ...drop, passcode, gateEpoch: drop.gateEpoch + 1 };
}

function tagsOf(query: readonly (readonly [string, string])[]): Record<string, string> {
  return Object.fromEntries(query.map(([name, value]) => [name.slice("metadata.".length), value]));
}

import fc from "fast-check";
import type { Call, StepBetween } from "../call.ts";
import type { AccountState } from "../state.ts";
import { type Intent, tokenFor } from "./intent.ts";

const index = fc.nat({ max: 7 });

const passTime = index.map(
  (which): Intent => ({
    words: `time passes for drop ${which}`,
    toCall: (state) => step("pass-time", state, pick(which, slugsWithTime(state))),
  }),
);

const keepVersions = fc.tuple(index, fc.integer({ min: 1, max: 3 })).map(
  ([which, keep]): Intent => ({
    words: `keep ${keep} versions of drop ${which}`,
    toCall: (state) => step("keep-versions", state, pick(which, slugsOf(state)), { keep }),
  }),
);

const setHold = fc.tuple(index, fc.nat({ max: 3 }), fc.boolean()).map(
  ([which, dice, isWanted]): Intent => ({
    words: `${isWanted ? "hold" : "end the hold of"} ${dice === 0 ? "the account" : `drop ${which}`}`,
    toCall(state) {
      const slug = dice === 0 ? "" : pick(which, slugsOf(state));
      return step("set-hold", state, slug, { isWanted: isWanted ? 1 : 0 });
    },
  }),
);

/** Steps of the service and the operator with an account's drops. */
export const stepIntents = { passTime, keepVersions, setHold } as const;

/** Returns drops that change as time passes: expiring, expired and deleted ones. */
function slugsWithTime({ drops, expired, trash }: AccountState): string[] {
  const expiring = drops.filter(({ expiresAtMs }) => expiresAtMs !== undefined);
  return [...expiring, ...expired, ...trash.map(({ drop }) => drop)].map(({ slug }) => slug);
}

function slugsOf({ drops, expired, trash }: AccountState): string[] {
  return [...drops, ...expired, ...trash.map(({ drop }) => drop)].map(({ slug }) => slug);
}

function pick(which: number, slugs: readonly string[]): string | undefined {
  return slugs[which % slugs.length];
}

/** Creates a step for a drop, or reads the account if there is no drop. */
function step(
  operation: StepBetween,
  state: AccountState,
  slug: string | undefined,
  more: Call["params"] = {},
): Call {
  if (slug === undefined) return { operation: "get-me", ...tokenFor(state, "good") };
  return { operation, params: { userId: state.userId, slug, ...more } };
}

import { setTimeout } from "node:timers/promises";
import type { Operation } from "../platform/operation.ts";
import { ok } from "../platform/response.ts";
import { tokenOperation } from "../platform/token-operation.ts";
import { type Asked, type Found, findFeedback, requireAsked } from "./listing.ts";
import { untrusted } from "./presenter.ts";
import { listFeedbackRoute } from "./rows.ts";
import type { FeedbackListResponse } from "./schemas.ts";
import { feedback } from "./store.ts";
import { waits } from "./waits.ts";

/**
 * GET /api/feedback: what readers have written about the caller's drops since a number, in order. With `wait` it answers when
 * something comes, or when so many seconds are over.
 */
export const listFeedback = /* @__PURE__ */ listingOperation(listFeedbackRoute);

/** The same by a row with another rule of how long it may wait. */
export function listingOperation(route: typeof listFeedbackRoute): Operation {
  return tokenOperation(route, async ({ caller, query, request, nowMs }) => {
    const startedAtMs = performance.now();
    const { waitSeconds, ...sought } = query;
    const asked = { ownerId: caller.userId, ...sought };
    const last = await feedback.last(caller.userId);
    await requireAsked(asked, last.sequence);
    const found = await findFeedback(asked, last.sequence);
    const waiting = { id: request.requestId, untilMs: startedAtMs + waitSeconds * 1000, nowMs };
    const outcome =
      isSomething(found) || waitSeconds === 0 ? { found } : await awaitMore(asked, found, waiting);
    return ok(present(outcome.found, askAgainIn(outcome, last.atMs, nowMs)));
  });
}

/** How often it looks while it waits: one small read. */
const lookEveryMs = 1_000;

/** What came of waiting. */
interface Outcome {
  readonly found: Found;
  /** Whether others wait in its place. @default false */
  readonly isTurnedAway?: boolean;
}

async function awaitMore(
  asked: Asked,
  before: Found,
  { id, untilMs, nowMs }: { readonly id: string; readonly untilMs: number; readonly nowMs: number },
): Promise<Outcome> {
  const restMs = () => untilMs - performance.now();
  const end = await waits.begin({ id, ownerId: asked.ownerId, untilMs: nowMs + restMs() }, nowMs);
  if (end === undefined) return { found: before, isTurnedAway: true };
  let found = before;
  try {
    while (!isSomething(found) && restMs() > 0) {
      await setTimeout(Math.min(lookEveryMs, restMs()));
      const { sequence } = await feedback.last(asked.ownerId);
      if (sequence > found.upTo) found = await findFeedback({ ...asked, since: found.upTo }, sequence);
    }
  } finally {
    await end();
  }
  return { found };
}

function isSomething({ comments, hasMore }: Found): boolean {
  return comments.length > 0 || hasMore;
}

const askAgainSeconds = { least: 5, turnedAway: 15, most: 300 } as const;

/**
 * When it is worth to ask again, in seconds: at once where there is something, else the later the longer nobody has written. A tenth of
 * that time is what a comment waits at most beyond what it has been quiet before.
 */
function askAgainIn({ found, isTurnedAway }: Outcome, lastAtMs: number | undefined, nowMs: number): number {
  if (isSomething(found)) return 0;
  const quietSeconds = lastAtMs === undefined ? Number.POSITIVE_INFINITY : (nowMs - lastAtMs) / 1000;
  const seconds = Math.min(
    askAgainSeconds.most,
    Math.max(askAgainSeconds.least, Math.round(quietSeconds / 10)),
  );
  return isTurnedAway ? Math.max(seconds, askAgainSeconds.turnedAway) : seconds;
}

function present({ comments, upTo, hasMore }: Found, askAgainInSeconds: number): FeedbackListResponse {
  return {
    untrusted,
    comments,
    next_since: upTo,
    has_more: hasMore,
    ask_again_in_seconds: askAgainInSeconds,
  };
}

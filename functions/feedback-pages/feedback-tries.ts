import type { Drop } from "../drops/drop.ts";
import { findGateBrowser } from "../pages/gate-browser.ts";
import { ApiError } from "../platform/errors.ts";
import { rateLimiter } from "../platform/rate-limits.ts";
import {
  feedbackDropRule,
  feedbackNetworkRule,
  feedbackReaderRule,
  type RateRule,
} from "../platform/rate-rules.ts";
import type { HttpRequest } from "../platform/request.ts";
import { hashSecret } from "../platform/token.ts";
import type { FoundFeedback } from "./feedback-drop.ts";

/** A limit, and of whom it is. */
type Window = readonly [rule: RateRule, subject: string];

/**
 * Counts something that is about to be written: of its reader, where nobody knows who they are of their network, and of the drop.
 * Returns how to take it back, where nothing comes of it.
 *
 * @throws ApiError `rate_limited` where it is one too many, and then nothing is counted
 */
export async function countComment(
  request: HttpRequest,
  found: FoundFeedback,
  nowMs: number,
): Promise<() => Promise<void>> {
  const spent: Window[] = [];
  const takeBack = async () => {
    await Promise.all(spent.map(([rule, subject]) => rateLimiter.refund(rule, subject)));
  };
  try {
    for (const [rule, subject] of await windowsOf(request, found)) {
      await rateLimiter.spend(rule, subject, nowMs);
      spent.push([rule, subject]);
    }
  } catch (error) {
    await takeBack();
    throw error instanceof ApiError && error.code === "rate_limited" ? named(error, spent) : error;
  }
  return takeBack;
}

/** Whose window is full: what a reader can do about it differs. */
function named({ message, retryAfterSeconds = 1 }: ApiError, spent: readonly Window[]): ApiError {
  const isOfReader = spent.length === 0;
  return new ApiError("rate_limited", {
    message,
    retryAfterSeconds,
    details: { limit_of: isOfReader ? "reader" : "others" },
  });
}

/** Whoever has signed in is the same person with every session; a browser at a gate may be made anew, and its network may not. */
async function windowsOf(request: HttpRequest, { drop, reader }: FoundFeedback): Promise<readonly Window[]> {
  const ofDrop = [feedbackDropRule, drop.slug] as const;
  if (reader !== undefined) {
    const { provider, id } = reader.identity;
    return [[feedbackReaderRule, `${provider}#${id}`], ofDrop];
  }
  return [
    [feedbackReaderRule, await gateVisitorOf(request, drop)],
    [feedbackNetworkRule, `${drop.slug}#${request.network}`],
    ofDrop,
  ];
}

/** Who sends no cookie of their own, or a made up one, shares a window with others of the network. */
async function gateVisitorOf(request: HttpRequest, drop: Drop): Promise<string> {
  const { id, hasOpened } = await findGateBrowser(request, drop);
  return `${drop.slug}#${id !== undefined && hasOpened ? hashSecret(id) : request.network}`;
}

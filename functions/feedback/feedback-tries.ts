import { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { findGateBrowser } from "../gate/gate.ts";
import type { HttpRequest } from "../http/request.ts";
import { hashSecret } from "../table/identifiers.ts";
import { rateLimiter } from "../table/rate-limits.ts";
import {
  fairShare,
  feedbackDropRule,
  feedbackNetworkRule,
  feedbackReaderRule,
  feedbackShareRule,
  feedbackThreadRule,
  type RateRule,
} from "../table/rate-rules.ts";
import type { FoundFeedback } from "./feedback-drop.ts";
import { feedback } from "./store.ts";

/** A rate limit: its rule, the key under which comments are counted, and whether the limit is the reader's own or shared with others. */
interface Window {
  readonly rule: RateRule;
  readonly subject: string;
  readonly limitOf: "reader" | "others";
}

/** Rate limits that apply to a comment. */
interface Windows {
  /** Limits on bursts of comments. */
  readonly bursts: readonly Window[];
  /** Limit on the commenter's share of the drop's daily comments. */
  readonly share: Window;
  /** Limit on the threads that one commenter may begin on a drop. */
  readonly threads: Window;
  /** Daily limit of the drop, shared by all signed-in readers, or by all readers with the passcode. */
  readonly day: Window;
}

/**
 * Counts a comment against the rate limits before it is written. The limits apply to the drop, and to the reader or an anonymous reader's
 * network. One commenter may use a quarter of the comments and threads that the drop's limits still allow, so that others can comment too.
 * Signed-in readers have a separate daily limit, because accounts are harder to get than network addresses.
 *
 * @returns a function that undoes the count
 * @throws ApiError `rate_limited` at a limit, without counting the comment
 */
export async function countComment(
  request: HttpRequest,
  found: FoundFeedback,
  { beginsThread, nowMs }: { readonly beginsThread: boolean; readonly nowMs: number },
): Promise<() => Promise<void>> {
  const spent: Window[] = [];
  const undoCount = async () => {
    await Promise.all(spent.map(({ rule, subject }) => rateLimiter.refund(rule, subject)));
  };
  const spend = async (window: Window, left?: number) => {
    const { rule, subject } = window;
    const usesMax = left === undefined ? rule.usesMax : fairShare(left);
    await naming(window, rateLimiter.spend({ ...rule, usesMax }, subject, nowMs));
    spent.push(window);
  };
  const { bursts, share, threads, day } = await windowsOf(request, found);
  try {
    for (const window of bursts) await spend(window);
    await spend(share, await naming(day, rateLimiter.check(day.rule, day.subject, nowMs)));
    if (beginsThread) {
      const counted = await feedback.count(found.drop.slug);
      await spend(threads, limits.threadsPerDropMax - counted.threads);
    }
    await spend(day);
  } catch (error) {
    await undoCount();
    throw error;
  }
  return undoCount;
}

/** Adds `limitOf` to a rate limit error, because the advice to the reader depends on whose limit was reached. */
async function naming<Result>({ limitOf }: Window, use: Promise<Result>): Promise<Result> {
  try {
    return await use;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "rate_limited") throw error;
    const { message, retryAfterSeconds = 1 } = error;
    throw new ApiError("rate_limited", { message, retryAfterSeconds, details: { limit_of: limitOf } });
  }
}

/**
 * Returns the rate limits that apply to a request. A signed-in reader is counted by identity, across sessions. A visitor with the passcode
 * is counted by cookie and by network, because a browser can discard the cookie.
 */
async function windowsOf(request: HttpRequest, { drop, reader }: FoundFeedback): Promise<Windows> {
  const { slug } = drop;
  if (reader !== undefined) {
    const person = `${reader.identity.provider}#${reader.identity.id}`;
    return {
      bursts: [{ rule: feedbackReaderRule, subject: person, limitOf: "reader" }],
      share: { rule: feedbackShareRule, subject: `${slug}#${person}`, limitOf: "reader" },
      threads: { rule: feedbackThreadRule, subject: `${slug}#${person}`, limitOf: "reader" },
      day: { rule: feedbackDropRule, subject: slug, limitOf: "others" },
    };
  }
  const { id, hasOpened } = await findGateBrowser(request, drop);
  // Visitors without a valid cookie share one key per network.
  const visitor = `${slug}#${id !== undefined && hasOpened ? hashSecret(id) : request.network}`;
  const network = `${slug}#${request.network}`;
  return {
    bursts: [
      { rule: feedbackReaderRule, subject: visitor, limitOf: "reader" },
      { rule: feedbackNetworkRule, subject: network, limitOf: "others" },
    ],
    share: { rule: feedbackShareRule, subject: network, limitOf: "others" },
    threads: { rule: feedbackThreadRule, subject: network, limitOf: "others" },
    day: { rule: feedbackDropRule, subject: `${slug}#passcode`, limitOf: "others" },
  };
}

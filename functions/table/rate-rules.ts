import type { ErrorCode } from "../core/errors.ts";
import { limits } from "../core/limits.ts";

/** A limit on the number of uses in a time window, which opens with its first use. */
export interface RateRule {
  /** Prefix of the stored attributes. For `minute`, these are `minuteStartedAtMs` and `minuteCount`. */
  readonly name: string;
  readonly lengthMs: number;
  readonly usesMax: number;
  readonly code: ErrorCode;
}

/** State of a window. Both fields are undefined before the first use. */
export interface RateWindow {
  readonly startedAtMs: number | undefined;
  readonly count: number | undefined;
}

type RateVerdict =
  | { readonly kind: "open" }
  | { readonly kind: "expired" }
  | { readonly kind: "full"; readonly retryAfterSeconds: number };

/** Minutes in a day. */
const day = 24 * 60;

/* @__NO_SIDE_EFFECTS__ */
function rule(name: string, minutes: number, usesMax: number, code: ErrorCode = "rate_limited"): RateRule {
  return { name, lengthMs: minutes * 60_000, usesMax, code };
}

/** The write limits of a token; see section "Limits" of the specification. */
export const writeRules: readonly RateRule[] = [
  rule("minute", 1, limits.writesPerMinutePerToken),
  rule("day", day, limits.writesPerDayPerToken, "daily_quota_exceeded"),
];

/**
 * Rules of the windows that refund a write if the service was busy and wrote nothing. The daily window does not refund the write, because a
 * caller whose writes conflict could retry forever.
 */
export const minuteRules = writeRules.filter(({ name }) => name === "minute");

/** Limit on device codes that one network may start. */
export const signInStartRule = rule("start", 1, limits.signInStartsPerMinutePerAddress);

/** Limit on unknown device codes that one network may enter, which prevents guessing. */
export const unknownCodeRule = rule("unknownCode", 15, limits.unknownCodesPerQuarterHourPerAddress);

/** Limit on wrong passcodes for one drop from one browser, or from all browsers in a network that send no cookie. */
export const gateVisitorRule = rule("gateVisitor", 15, limits.wrongPasscodesPerQuarterHourPerVisitor);

/** Limit on wrong passcodes for one drop from all networks together, which prevents guessing from many addresses. */
export const gateDropRule = rule("gateDrop", day, limits.wrongPasscodesPerDayPerDrop);

/** Limit on wrong passcodes for one drop from one network. */
export const gateNetworkRule = rule("gateNetwork", day, limits.wrongPasscodesPerDayPerNetwork);

/** Limit on wrong passcodes from a browser that has already entered the current passcode, and so does not need to guess. */
export const gateOpenedRule = rule("gateOpened", day, limits.wrongPasscodesPerDayPerOpener);

/** Limit on comments by one reader on all drops, or by one browser on a drop that it has unlocked. */
export const feedbackReaderRule = rule("feedbackReader", 10, limits.commentsPerTenMinutesPerReader);

/** Limit on comments from one network by readers who entered a drop's passcode and have not signed in. */
export const feedbackNetworkRule = rule("feedbackNetwork", 10, limits.commentsPerTenMinutesPerNetwork);

/** Limit on comments on one drop. Signed-in readers and other readers who entered its passcode are counted separately. */
export const feedbackDropRule = rule("feedbackDrop", day, limits.commentsPerDayPerDrop);

/** Share of a drop's daily comment limit for one reader or, without sign-in, for one network. The share shrinks as the limit is used up. */
export const feedbackShareRule: RateRule = { ...feedbackDropRule, name: "feedbackShare" };

/** Limit on threads that one reader or network starts on one drop. It shrinks as the drop approaches its maximum number of threads. */
export const feedbackThreadRule = rule("feedbackThread", day, limits.threadsPerDropMax);

/**
 * Returns the maximum number of uses by one sender when `left` uses remain: a quarter of them, but at least one. This limits a sender to a
 * fifth of the total.
 */
export function fairShare(left: number): number {
  return Math.max(1, Math.ceil(left / 4));
}

/** Limit on answers to the forms of one drop from one network, such as an office that votes. */
export const answerNetworkRule = rule("answerNetwork", 10, limits.answersPerTenMinutesPerNetwork);

/** Limit on answers of one reader or network to one form. The limit shrinks as the form approaches its maximum number of answers. */
export const answerShareRule = rule("answerShare", day, limits.answersPerFormMax);

/** Limit on requests for access by one person, for existing and missing pages alike. */
export const accessRequestRule = rule("accessRequest", day, limits.accessRequestsPerDayPerPerson);

/** Limit on searches by one reader, in the API, with tools and on pages. */
export const searchRule = rule("search", 1, limits.searchesPerMinutePerReader);

/** Limit on rendered versions of one account, which limits the account's cost. */
export const renderRule = rule("render", day, limits.rendersPerDayPerAccount, "daily_quota_exceeded");

/** Evaluates one more use at `nowMs`. For a full window, the result has the time until the window ends. */
export function evaluateRate(rule: RateRule, window: RateWindow, nowMs: number): RateVerdict {
  const { startedAtMs, count = 0 } = window;
  if (startedAtMs === undefined || startedAtMs + rule.lengthMs <= nowMs) return { kind: "expired" };
  if (count < rule.usesMax) return { kind: "open" };
  const retryAfterSeconds = Math.max(1, Math.ceil((startedAtMs + rule.lengthMs - nowMs) / 1000));
  return { kind: "full", retryAfterSeconds };
}

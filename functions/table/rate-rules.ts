import type { ErrorCode } from "../core/errors.ts";
import { limits } from "../core/limits.ts";

/** A limit of so many uses in a window that opens with its first use. */
export interface RateRule {
  /** The prefix of the stored attributes: `minute` gives `minuteStartedAtMs` and `minuteCount`. */
  readonly name: string;
  readonly lengthMs: number;
  readonly usesMax: number;
  readonly code: ErrorCode;
}

/** Use of a window; both undefined before the first use. */
export interface RateWindow {
  readonly startedAtMs: number | undefined;
  readonly count: number | undefined;
}

/** Effect of one more use of a window. */
type RateVerdict =
  | { readonly kind: "open" }
  | { readonly kind: "expired" }
  | { readonly kind: "full"; readonly retryAfterSeconds: number };

const minuteMs = 60_000;

/** The write limits of a token; section "Limits" of the specification. */
export const writeRules: readonly RateRule[] = [
  { name: "minute", lengthMs: minuteMs, usesMax: limits.writesPerMinutePerToken, code: "rate_limited" },
  {
    name: "day",
    lengthMs: 24 * 60 * minuteMs,
    usesMax: limits.writesPerDayPerToken,
    code: "daily_quota_exceeded",
  },
];

/**
 * The window that refunds a write when the service was busy and wrote nothing. The daily window does not: a caller
 * whose writes conflict could retry forever.
 */
export const minuteRules = writeRules.filter(({ name }) => name === "minute");

/** Device codes that one network address may start. */
export const signInStartRule: RateRule = {
  name: "start",
  lengthMs: minuteMs,
  usesMax: limits.signInStartsPerMinutePerAddress,
  code: "rate_limited",
};

/** Unknown device codes that one network address may open: the bound on guessing. */
export const unknownCodeRule: RateRule = {
  name: "unknownCode",
  lengthMs: 15 * minuteMs,
  usesMax: limits.unknownCodesPerQuarterHourPerAddress,
  code: "rate_limited",
};

/** Wrong passcodes at one drop's gate, of one browser or of all browsers in a network that send no cookie. */
export const gateVisitorRule: RateRule = {
  name: "gateVisitor",
  lengthMs: 15 * minuteMs,
  usesMax: limits.wrongPasscodesPerQuarterHourPerVisitor,
  code: "rate_limited",
};

/** Wrong passcodes of everyone at one drop's gate: the bound on guessing from many addresses. */
export const gateDropRule: RateRule = {
  name: "gateDrop",
  lengthMs: 24 * 60 * minuteMs,
  usesMax: limits.wrongPasscodesPerDayPerDrop,
  code: "rate_limited",
};

/** Wrong passcodes from one network at one drop's gate. */
export const gateNetworkRule: RateRule = {
  name: "gateNetwork",
  lengthMs: 24 * 60 * minuteMs,
  usesMax: limits.wrongPasscodesPerDayPerNetwork,
  code: "rate_limited",
};

/** Wrong passcodes of a browser that has opened the gate with the current passcode, and so does not need to guess. */
export const gateOpenedRule: RateRule = {
  name: "gateOpened",
  lengthMs: 24 * 60 * minuteMs,
  usesMax: limits.wrongPasscodesPerDayPerOpener,
  code: "rate_limited",
};

/** Comments of one reader on all drops, or of one browser on a drop that it has unlocked. */
export const feedbackReaderRule: RateRule = {
  name: "feedbackReader",
  lengthMs: 10 * minuteMs,
  usesMax: limits.commentsPerTenMinutesPerReader,
  code: "rate_limited",
};

/** Comments of all readers of one network behind a drop's gate who have not signed in. */
export const feedbackNetworkRule: RateRule = {
  name: "feedbackNetwork",
  lengthMs: 10 * minuteMs,
  usesMax: limits.commentsPerTenMinutesPerNetwork,
  code: "rate_limited",
};

/** Comments on one drop by signed-in readers, or by all others behind its gate. */
export const feedbackDropRule: RateRule = {
  name: "feedbackDrop",
  lengthMs: 24 * 60 * minuteMs,
  usesMax: limits.commentsPerDayPerDrop,
  code: "rate_limited",
};

/** The share of one reader, or of one network without sign-in; bounded by what remains for others. */
export const feedbackShareRule: RateRule = { ...feedbackDropRule, name: "feedbackShare" };

/** Threads that one reader or network begins on one drop; bounded by what remains for others. */
export const feedbackThreadRule: RateRule = {
  name: "feedbackThread",
  lengthMs: 24 * 60 * minuteMs,
  usesMax: limits.threadsPerDropMax,
  code: "rate_limited",
};

/** Maximum use of one sender while `left` remains: a quarter of it, so a fifth of the total; at least one. */
export function fairShare(left: number): number {
  return Math.max(1, Math.ceil(left / 4));
}

/** Answers to the forms of one drop from one network, such as an office that votes. */
export const answerNetworkRule: RateRule = {
  name: "answerNetwork",
  lengthMs: 10 * minuteMs,
  usesMax: limits.answersPerTenMinutesPerNetwork,
  code: "rate_limited",
};

/** A reader's or network's share of the answers to one form; bounded by what remains for others. */
export const answerShareRule: RateRule = {
  name: "answerShare",
  lengthMs: 24 * 60 * minuteMs,
  usesMax: limits.answersPerFormMax,
  code: "rate_limited",
};

/** Requests for access of one person, for existing and missing pages alike. */
export const accessRequestRule: RateRule = {
  name: "accessRequest",
  lengthMs: 24 * 60 * minuteMs,
  usesMax: limits.accessRequestsPerDayPerPerson,
  code: "rate_limited",
};

/** Searches of one reader, by the API, as a tool, and on pages. */
export const searchRule: RateRule = {
  name: "search",
  lengthMs: minuteMs,
  usesMax: limits.searchesPerMinutePerReader,
  code: "rate_limited",
};

/** Rendered versions of one account, to bound its cost. */
export const renderRule: RateRule = {
  name: "render",
  lengthMs: 24 * 60 * minuteMs,
  usesMax: limits.rendersPerDayPerAccount,
  code: "daily_quota_exceeded",
};

/** Judges one more use at `nowMs`. The verdict of a full window has its end. */
export function evaluateRate(rule: RateRule, window: RateWindow, nowMs: number): RateVerdict {
  const { startedAtMs, count = 0 } = window;
  if (startedAtMs === undefined || startedAtMs + rule.lengthMs <= nowMs) return { kind: "expired" };
  if (count < rule.usesMax) return { kind: "open" };
  const retryAfterSeconds = Math.max(1, Math.ceil((startedAtMs + rule.lengthMs - nowMs) / 1000));
  return { kind: "full", retryAfterSeconds };
}

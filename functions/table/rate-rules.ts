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

/** Minutes of a day. */
const day = 24 * 60;

/* @__NO_SIDE_EFFECTS__ */
function rule(name: string, minutes: number, usesMax: number, code: ErrorCode = "rate_limited"): RateRule {
  return { name, lengthMs: minutes * 60_000, usesMax, code };
}

/** The write limits of a token; section "Limits" of the specification. */
export const writeRules: readonly RateRule[] = [
  rule("minute", 1, limits.writesPerMinutePerToken),
  rule("day", day, limits.writesPerDayPerToken, "daily_quota_exceeded"),
];

/**
 * The window that refunds a write when the service was busy and wrote nothing. The daily window does not: a caller
 * whose writes conflict could retry forever.
 */
export const minuteRules = writeRules.filter(({ name }) => name === "minute");

/** Device codes that one network address may start. */
export const signInStartRule = rule("start", 1, limits.signInStartsPerMinutePerAddress);

/** Unknown device codes that one network address may open: the bound on guessing. */
export const unknownCodeRule = rule("unknownCode", 15, limits.unknownCodesPerQuarterHourPerAddress);

/** Wrong passcodes at one drop's gate, of one browser or of all browsers in a network that send no cookie. */
export const gateVisitorRule = rule("gateVisitor", 15, limits.wrongPasscodesPerQuarterHourPerVisitor);

/** Wrong passcodes of everyone at one drop's gate: the bound on guessing from many addresses. */
export const gateDropRule = rule("gateDrop", day, limits.wrongPasscodesPerDayPerDrop);

/** Wrong passcodes from one network at one drop's gate. */
export const gateNetworkRule = rule("gateNetwork", day, limits.wrongPasscodesPerDayPerNetwork);

/** Wrong passcodes of a browser that has opened the gate with the current passcode, and so does not need to guess. */
export const gateOpenedRule = rule("gateOpened", day, limits.wrongPasscodesPerDayPerOpener);

/** Comments of one reader on all drops, or of one browser on a drop that it has unlocked. */
export const feedbackReaderRule = rule("feedbackReader", 10, limits.commentsPerTenMinutesPerReader);

/** Comments of all readers of one network behind a drop's gate who have not signed in. */
export const feedbackNetworkRule = rule("feedbackNetwork", 10, limits.commentsPerTenMinutesPerNetwork);

/** Comments on one drop by signed-in readers, or by all others behind its gate. */
export const feedbackDropRule = rule("feedbackDrop", day, limits.commentsPerDayPerDrop);

/** The share of one reader, or of one network without sign-in; bounded by what remains for others. */
export const feedbackShareRule: RateRule = { ...feedbackDropRule, name: "feedbackShare" };

/** Threads that one reader or network begins on one drop; bounded by what remains for others. */
export const feedbackThreadRule = rule("feedbackThread", day, limits.threadsPerDropMax);

/** Maximum use of one sender while `left` remains: a quarter of it, so a fifth of the total; at least one. */
export function fairShare(left: number): number {
  return Math.max(1, Math.ceil(left / 4));
}

/** Answers to the forms of one drop from one network, such as an office that votes. */
export const answerNetworkRule = rule("answerNetwork", 10, limits.answersPerTenMinutesPerNetwork);

/** A reader's or network's share of the answers to one form; bounded by what remains for others. */
export const answerShareRule = rule("answerShare", day, limits.answersPerFormMax);

/** Requests for access of one person, for existing and missing pages alike. */
export const accessRequestRule = rule("accessRequest", day, limits.accessRequestsPerDayPerPerson);

/** Searches of one reader, by the API, as a tool, and on pages. */
export const searchRule = rule("search", 1, limits.searchesPerMinutePerReader);

/** Rendered versions of one account, to bound its cost. */
export const renderRule = rule("render", day, limits.rendersPerDayPerAccount, "daily_quota_exceeded");

/** Judges one more use at `nowMs`. The verdict of a full window has its end. */
export function evaluateRate(rule: RateRule, window: RateWindow, nowMs: number): RateVerdict {
  const { startedAtMs, count = 0 } = window;
  if (startedAtMs === undefined || startedAtMs + rule.lengthMs <= nowMs) return { kind: "expired" };
  if (count < rule.usesMax) return { kind: "open" };
  const retryAfterSeconds = Math.max(1, Math.ceil((startedAtMs + rule.lengthMs - nowMs) / 1000));
  return { kind: "full", retryAfterSeconds };
}

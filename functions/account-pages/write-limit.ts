import { keys } from "../platform/keys.ts";
import { refundRate, spendRate, windowOf } from "../platform/rate-limits.ts";
import { writeRules } from "../platform/rate-rules.ts";

/** After the day of the longest window nobody asks for the item any more. */
const keptSeconds = 2 * 24 * 60 * 60;

/**
 * Spends a write of those that an owner may make in browsers, all of them together: as many as a token may.
 *
 * @returns what gives it back, where the request turns out to be invalid
 * @throws ApiError `rate_limited` or `daily_quota_exceeded`; then nothing is spent
 */
export async function spendWrite(userId: string, nowMs: number): Promise<() => Promise<void>> {
  const key = keys.rateWindow("browser", userId);
  const ttl = Math.ceil(nowMs / 1000) + keptSeconds;
  const item = await spendRate({ key, rules: writeRules, nowMs, set: { ttl } });
  const openedAtMs = writeRules.map((rule) => [rule.name, windowOf(item, rule).startedAtMs ?? 0] as const);
  return () => refundRate(key, writeRules, Object.fromEntries(openedAtMs));
}

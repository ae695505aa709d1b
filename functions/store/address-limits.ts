import { ApiError } from "../contract/api-error.ts";
import { judge, type RateRule } from "../domain/rate-window.ts";
import { keys } from "./keys.ts";
import { spendRate, windowOf } from "./rate-windows.ts";
import { getItem } from "./table.ts";

/** Limits by the viewer's network address, for calls without a token. */
export const addressLimits = {
  /**
   * Spends one use of the rule's window of an address.
   *
   * @throws ApiError with the rule's code when the window is full.
   */
  async spend(rule: RateRule, address: string, nowMs: number): Promise<void> {
    const ttl = Math.ceil((nowMs + rule.lengthMs) / 1000);
    await spendRate({ key: keys.rateWindow(rule.name, address), rules: [rule], nowMs, set: { ttl } });
  },

  /**
   * Refuses an address whose window is full, without spending.
   *
   * @throws ApiError with the rule's code.
   */
  async check(rule: RateRule, address: string, nowMs: number): Promise<void> {
    const item = await getItem(keys.rateWindow(rule.name, address));
    const verdict = judge(rule, windowOf(item, rule), nowMs);
    if (verdict.kind === "full")
      throw new ApiError(rule.code, { retryAfterSeconds: verdict.retryAfterSeconds });
  },
};

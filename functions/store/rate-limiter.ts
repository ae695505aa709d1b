import { ApiError } from "../contract/api-error.ts";
import { judge, type RateRule } from "../domain/rate-window.ts";
import { keys } from "./keys.ts";
import { spendRate, windowOf } from "./rate-windows.ts";
import { getItem } from "./table.ts";
import { updateItem } from "./update.ts";

/** Limits of calls without a token, by a subject such as the viewer's network address. */
export const rateLimiter = {
  /**
   * Spends one use of the subject's window.
   *
   * @throws ApiError with the rule's code when the window is full.
   */
  async spend(rule: RateRule, subject: string, nowMs: number): Promise<void> {
    const ttl = Math.ceil((nowMs + rule.lengthMs) / 1000);
    await spendRate({ key: keys.rateWindow(rule.name, subject), rules: [rule], nowMs, set: { ttl } });
  },

  /**
   * Refuses a subject whose window is full, without spending.
   *
   * @throws ApiError with the rule's code.
   */
  async check(rule: RateRule, subject: string, nowMs: number): Promise<void> {
    const item = await getItem(keys.rateWindow(rule.name, subject));
    const verdict = judge(rule, windowOf(item, rule), nowMs);
    if (verdict.kind === "full")
      throw new ApiError(rule.code, { retryAfterSeconds: verdict.retryAfterSeconds });
  },

  /** Gives one use back: it turned out to be none of those that are limited. */
  async refund(rule: RateRule, subject: string): Promise<void> {
    const count = `${rule.name}Count`;
    await updateItem({
      key: keys.rateWindow(rule.name, subject),
      update: `ADD ${count} :minusOne`,
      condition: `${count} > :zero`,
      values: { ":minusOne": -1, ":zero": 0 },
    });
  },
};

import { ApiError } from "../core/errors.ts";
import { hashSecret } from "../table/identifiers.ts";
import { rateLimiter } from "../table/rate-limits.ts";
import { gateDropRule, gateNetworkRule, gateOpenedRule, gateVisitorRule } from "../table/rate-rules.ts";
import type { GateBrowser } from "./gate.ts";

/**
 * Counts a passcode attempt before the passcode is checked.
 *
 * @returns a function to call if the passcode is right. The function refunds this attempt and the browser's wrong attempts
 * @throws ApiError `rate_limited` at a limit, without counting the attempt
 */
export async function countPasscodeAttempt(
  slug: string,
  network: string,
  browser: GateBrowser,
  nowMs: number,
): Promise<() => Promise<unknown>> {
  // Stores a hash of the id, which is enough to distinguish browsers.
  const browserId = browser.id && hashSecret(browser.id);
  const opened = `${slug}#${browserId}`;
  if (browser.hasOpened && (await hasRoom(opened, nowMs)))
    return () => rateLimiter.refund(gateOpenedRule, opened);
  const visitor = `${slug}#${browserId ?? network}`;
  const ofNetwork = `${slug}#${network}`;
  const left = await rateLimiter.check(gateDropRule, slug, nowMs);
  const counted = await rateLimiter.spend(gateVisitorRule, visitor, nowMs);
  try {
    // A network may use at most as many attempts as are left for other networks, so that it cannot lock out their readers.
    const usesMax = Math.min(gateNetworkRule.usesMax, left);
    await rateLimiter.spend({ ...gateNetworkRule, usesMax }, ofNetwork, nowMs);
  } catch (error) {
    await rateLimiter.refund(gateVisitorRule, visitor);
    throw error;
  }
  try {
    await rateLimiter.spend(gateDropRule, slug, nowMs);
  } catch (error) {
    await Promise.all([
      rateLimiter.refund(gateVisitorRule, visitor),
      rateLimiter.refund(gateNetworkRule, ofNetwork),
    ]);
    throw error;
  }
  // Refunds only one attempt for a browser without a cookie, because the browser shares a rate limit with others in its network.
  const uses = browserId === undefined ? 1 : counted;
  return async () => {
    // If two right passcodes are sent at the same time, the first request refunds both attempts, and the second stops here.
    if (!(await rateLimiter.refund(gateVisitorRule, visitor, uses))) return;
    await Promise.all([
      rateLimiter.refund(gateNetworkRule, ofNetwork, uses),
      rateLimiter.refund(gateDropRule, slug, uses),
    ]);
  };
}

/**
 * Counts an attempt against the separate limit of a browser that has unlocked the drop before. Other browsers cannot use up this limit.
 * Returns false if the limit is reached.
 */
async function hasRoom(opened: string, nowMs: number): Promise<boolean> {
  try {
    await rateLimiter.spend(gateOpenedRule, opened, nowMs);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 429) return false;
    throw error;
  }
}

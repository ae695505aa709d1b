import { inject } from "vitest";
import { askAgainMs, patienceMs } from "./patience.ts";

/**
 * Time limit and polling interval for a promise such as "within 5 seconds". A given service must keep it; a local one
 * gets more time, because the tests keep its machine busy.
 */
export function within(seconds: number): { readonly timeout: number; readonly interval: number } {
  // BASE_URL cannot decide: tests that access a service's stores set it too, as its functions do.
  const isGiven = inject("serviceDirectory") === "";
  return { timeout: isGiven ? seconds * 1_000 : patienceMs, interval: askAgainMs };
}

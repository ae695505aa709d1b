import { inject } from "vitest";
import { askAgainMs, patienceMs } from "./patience.ts";

/**
 * How long to wait, and how often to look, for what a service promises to do in some seconds: so long with a service that was given, and for as
 * long as it takes with one of this machine, which is busy with the tests too.
 */
export function within(seconds: number): { readonly timeout: number; readonly interval: number } {
  // The variable BASE_URL tells it no more: who works on the stores of a service sets it, as its functions have it.
  const isGiven = inject("serviceDirectory") === "";
  return { timeout: isGiven ? seconds * 1_000 : patienceMs, interval: askAgainMs };
}

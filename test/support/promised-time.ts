import { askAgainMs, patienceMs } from "./patience.ts";

/**
 * How long to wait, and how often to look, for what a service promises to do in some seconds: so long with a service that was given, and for as
 * long as it takes with one of this machine, which is busy with the tests too.
 */
export function within(seconds: number): { readonly timeout: number; readonly interval: number } {
  // Vitest itself says "/" to the tests, where nobody has said anything.
  const isGiven = URL.canParse(process.env.BASE_URL ?? "");
  return { timeout: isGiven ? seconds * 1_000 : patienceMs, interval: askAgainMs };
}

/**
 * How long to wait for what a service promises to do in some seconds: so long with a service that was given, and three
 * times as long with one of this machine, which is busy with the tests too.
 */
export function within(seconds: number): { readonly timeout: number } {
  // Vitest itself says "/" to the tests, where nobody has said anything.
  const isGiven = URL.canParse(process.env.BASE_URL ?? "");
  return { timeout: seconds * 1_000 * (isGiven ? 1 : 3) };
}

/**
 * How long tests wait for what must happen once: for as long as only what hangs takes, since the machine may do many
 * other things besides.
 */
export const patienceMs = 90_000;

/** How long they leave a service alone that they ask until it is so far: asking more often costs it more than all else. */
export const askAgainMs = 250;

/** The options of Vitest's `waitFor` and `waitUntil`, which take no default from its configuration. */
export const patiently = { timeout: patienceMs, interval: askAgainMs } as const;

/**
 * How long something takes, for a bound on what it costs: ask again with `expect.poll` until it is below. What costs
 * too much costs it every time, and what only waited for the machine does not.
 */
export async function durationMs(act: () => unknown): Promise<number> {
  const startedAtMs = performance.now();
  await act();
  return performance.now() - startedAtMs;
}

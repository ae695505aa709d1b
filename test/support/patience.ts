/**
 * Time limit for a single expected event, long enough that even on a busy machine only a hang exceeds it. It is
 * shorter than a test's time limit, which would not report what the test waited for.
 */
export const patienceMs = 45_000;

/** Time limit of a test or hook that takes minutes on a busy machine. */
export const longMs = 600_000;

/** Interval of polls. A shorter one would put more load on the service than the tests do. */
export const askAgainMs = 250;

/** Options of Vitest's `waitFor` and `waitUntil`, whose defaults cannot be configured. */
export const patiently = { timeout: patienceMs, interval: askAgainMs } as const;

/**
 * Measures the duration of an action, to bound its cost. Poll it with `expect.poll`: a high cost shows in each run, a
 * busy machine only in some.
 */
export async function durationMs(act: () => unknown): Promise<number> {
  const startedAtMs = performance.now();
  await act();
  return performance.now() - startedAtMs;
}

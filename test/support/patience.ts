/**
 * Time limit for something that must happen once. The machine may be busy, so that only a hang exceeds it. Shorter than the time limit of a test,
 * which does not say what it waited for.
 */
export const patienceMs = 45_000;

/** Time limit of a test or hook that takes minutes on a busy machine. */
export const longMs = 600_000;

/** Interval of polls. Shorter ones would cost the service more than all else. */
export const askAgainMs = 250;

/** The options of Vitest's `waitFor` and `waitUntil`, which take no default from its configuration. */
export const patiently = { timeout: patienceMs, interval: askAgainMs } as const;

/**
 * Duration of an action, for a bound on its cost. Poll it with `expect.poll`: high cost shows each time, a busy
 * machine does not.
 */
export async function durationMs(act: () => unknown): Promise<number> {
  const startedAtMs = performance.now();
  await act();
  return performance.now() - startedAtMs;
}

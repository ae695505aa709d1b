/** Something to do for some records of a batch. When it fails, these are the ones to be handed over again. */
export interface Job<Source> {
  readonly sources: readonly Source[];
  run(): Promise<void>;
}

/** Jobs at work at the same time. */
const lanesMax = 16;

/** Does every job, whatever becomes of the others, and returns the sources of those that failed with their errors. */
export async function runJobs<Source>(jobs: readonly Job<Source>[]): Promise<Map<Source, unknown>> {
  const failures = new Map<Source, unknown>();
  const waiting = jobs.values();
  const lanes = Array.from({ length: lanesMax }, async () => {
    for (const { sources, run } of waiting) {
      try {
        await run();
      } catch (error) {
        for (const source of sources) failures.set(source, error);
      }
    }
  });
  await Promise.all(lanes);
  return failures;
}

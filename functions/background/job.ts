/** A piece of work for some records of a batch. When it fails, these records are tried again. */
export interface Job<Source> {
  readonly sources: readonly Source[];
  run(): Promise<void>;
}

/** Does something once for several jobs, when the first of them needs it. */
export function sharedByJobs<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** The number of jobs that run at the same time. */
const jobsAtOnceMax = 16;

/** Runs every job, whether others fail or not, and returns the error of each job that failed. */
export async function runJobs<J extends Job<unknown>>(jobs: readonly J[]): Promise<Map<J, unknown>> {
  const failures = new Map<J, unknown>();
  const waiting = jobs.values();
  const lanes = Array.from({ length: jobsAtOnceMax }, async () => {
    for (const job of waiting) {
      try {
        await job.run();
      } catch (error) {
        failures.set(job, error);
      }
    }
  });
  await Promise.all(lanes);
  return failures;
}

// Lambda gives a function two processors during its init phase. During the first request, the same work would take longer.

/** Time limit for all start-up work together. The first request finishes work that takes longer. */
const waitMsMax = 1_000;

const tasks: Promise<unknown>[] = [];

/**
 * Starts work that the first request needs, during the function's init phase. Does nothing outside of AWS. Failures are ignored, because
 * the first request repeats failed work and reports its errors.
 */
export function onInit(task: () => Promise<unknown>): void {
  if (isFunctionInAws()) tasks.push(task().catch(() => undefined));
}

/** Resolves when all start-up work has succeeded, failed or timed out. Every bundle ends with this call. */
export async function started(): Promise<void> {
  if (tasks.length === 0) return;
  const { promise: tooLong, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, waitMsMax);
  await Promise.race([Promise.all(tasks), tooLong]);
  clearTimeout(timer);
}

/** Recognizes a function in AWS by its runtime variables; see "Working with Lambda environment variables", AWS Lambda developer guide. */
function isFunctionInAws(): boolean {
  const { AWS_LAMBDA_FUNCTION_NAME: name, AWS_ENDPOINT_URL: endpoint } = process.env;
  return name !== undefined && !endpoint?.startsWith("http:");
}

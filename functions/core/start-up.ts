/**
 * Work at load time, when a function has two processors. It saves time in the first request, which has only the processor share of its
 * memory.
 */

/** Time limit of all start-up work together. The first request finishes the rest. */
const waitMsMax = 1_000;

const tasks: Promise<unknown>[] = [];

/**
 * Starts work at load time that the first request needs, if this is a function in AWS. Failures are ignored: the request that needs the
 * result tries again.
 */
export function onInit(task: () => Promise<unknown>): void {
  if (isFunctionInAws()) tasks.push(settled(task));
}

/** Resolves when all start-up work has succeeded, failed or timed out. Every bundle ends with it. */
export async function started(): Promise<void> {
  if (tasks.length === 0) return;
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, waitMsMax);
  });
  await Promise.race([Promise.all(tasks), tooLong]);
  clearTimeout(timer);
}

async function settled(task: () => Promise<unknown>): Promise<void> {
  try {
    await task();
  } catch {
    // The request gets the same fault, and reports it.
  }
}

/** AWS Lambda developer guide, "Working with Lambda environment variables": defined runtime variables. */
function isFunctionInAws(): boolean {
  const { AWS_LAMBDA_FUNCTION_NAME: name, AWS_ENDPOINT_URL: endpoint } = process.env;
  return name !== undefined && !endpoint?.startsWith("http:");
}

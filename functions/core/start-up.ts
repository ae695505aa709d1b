/**
 * Work at load time, when a function has two processors, to save time in its first request, which has only its memory's share.
 */

/** The start waits no longer than this for all of it: what is not there then, the request waits for as ever. */
const waitMsMax = 1_000;

const tasks: Promise<unknown>[] = [];

/**
 * Starts work at load time that the first request would start, if this is a function in AWS. Failures are ignored: the request
 * that needs the result tries again.
 */
export function onInit(task: () => Promise<unknown>): void {
  if (isFunctionInAws()) tasks.push(settled(task));
}

/** Resolves when all that was begun has ended, well or not, or has taken too long. Every bundle ends with it. */
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
    // The request meets the same fault, and says it.
  }
}

/** AWS Lambda developer guide, "Working with Lambda environment variables": defined runtime variables. */
function isFunctionInAws(): boolean {
  const { AWS_LAMBDA_FUNCTION_NAME: name, AWS_ENDPOINT_URL: endpoint } = process.env;
  return name !== undefined && !endpoint?.startsWith("http:");
}

/**
 * Work that is done while a function's modules load, with two processors, so that its first request need not do it with
 * the share of one that its memory stands for.
 */

/** The start waits no longer than this for all of it: what is not there then, the request waits for as ever. */
const waitMsMax = 1_000;

const tasks: Promise<unknown>[] = [];

/**
 * Begins something that the first request would begin, where that is a function in AWS: a command of the operator's, a
 * test and the local cloud, which speaks plain HTTP, have nothing to get ahead of. Its failure is nobody's: whoever
 * needs the result asks for it again.
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

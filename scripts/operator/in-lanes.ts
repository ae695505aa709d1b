/** Runs the tasks, at most `lanes` of them at a time; the results are in the tasks' order. */
export async function inLanes<Result>(
  lanes: number,
  tasks: readonly (() => Promise<Result>)[],
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = tasks.entries();
  const work = async () => {
    // The lanes share one iterator: each takes the next task that none has taken.
    for (const [index, task] of queue) results[index] = await task();
  };
  await Promise.all(Array.from({ length: lanes }, work));
  return results;
}

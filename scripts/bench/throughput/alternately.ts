/** Gives up the turn, and comes back when it is one's own again. */
export type PassTurn = () => Promise<void>;

/**
 * Runs tasks so that only one of them is at work at any time: each until it passes its turn on or ends, then the next,
 * and so on around.
 */
export async function alternately<Result>(
  tasks: readonly ((pass: PassTurn) => Promise<Result>)[],
): Promise<Result[]> {
  const waiting: (() => void)[] = [];
  const pass = async () => {
    const { promise: turn, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    waiting.shift()?.();
    await turn;
  };
  let isFirst = true;
  return Promise.all(
    tasks.map(async (task) => {
      const { promise: turn, resolve } = Promise.withResolvers<void>();
      if (isFirst) resolve();
      else waiting.push(resolve);
      isFirst = false;
      await turn;
      try {
        return await task(pass);
      } finally {
        waiting.shift()?.();
      }
    }),
  );
}

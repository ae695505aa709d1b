/** Returns the result of the work, or undefined if it takes longer. The work itself continues. */
export async function withinMs<Result>(ms: number, work: Promise<Result>): Promise<Result | undefined> {
  const { promise: timeout, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, ms, undefined);
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

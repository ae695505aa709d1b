/**
 * Whether tests try all that they know. `npm test` has a choice of it, which finds most of what breaks; the rest is for
 * `npm run test:thorough`, after it.
 */
export const isThorough = process.env.TESTS === "all";

/** All of them in a thorough run, and otherwise those that are of the choice. */
export function chosen<One>(all: readonly One[], isOfChoice: (one: One) => boolean): readonly One[] {
  return isThorough ? all : all.filter(isOfChoice);
}

/** Creates a reproducible source of pseudo-random numbers. */
export function seededNumbers(seed: number): (exclusiveMax: number) => number {
  let state = seed;
  return (exclusiveMax) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * exclusiveMax);
  };
}

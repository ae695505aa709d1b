// Random runs: calls of the model, a killed service, searches with an oracle. They make the same calls each time, so
// that a failure means a change. `TEST_SEED=random` makes other calls, `TEST_SEED=<integer>` repeats the calls of a
// title, `TEST_LENGTH=10` makes ten times as many.

const usualSeed = 20_261_124;

/** The seed of this run's calls. */
export const seed = readSeed(process.env.TEST_SEED || String(usualSeed));

/** The factor by which this run is longer than usual. */
export const runLength = readWholeNumber("TEST_LENGTH", process.env.TEST_LENGTH || "1");

function readSeed(text: string): number {
  return text === "random" ? Date.now() % 2 ** 31 : readWholeNumber("TEST_SEED", text);
}

function readWholeNumber(name: string, text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw new Error(`${name} must be a whole number from 1, not ${JSON.stringify(text)}.`);
}

// `npm run test:model` makes the runs longer and their seed random. DROPLEAF_MODEL_OPERATIONS is their number of calls,
// DROPLEAF_MODEL_SEED a seed that a report has told, or the word `random`.

const operations = Number(process.env.DROPLEAF_MODEL_OPERATIONS || 400);

/** Calls of two accounts beside each other. */
export const callsOfTwo = Math.ceil(operations * 0.9);

/** Calls of one account at once. Each takes as much as three others, since its result is looked for in every order. */
export const callsAtOnce = Math.ceil(operations * 0.1);

/** The same sequences in every run, so that red means a change. */
const usualSeed = 20_261_124;

/** What the sequences of this run are made of. */
export const seed = readSeed(process.env.DROPLEAF_MODEL_SEED ?? "");

function readSeed(text: string): number {
  if (text === "random") return Date.now() % 2 ** 31;
  const given = text === "" ? usualSeed : Number(text);
  if (!Number.isInteger(given))
    throw new Error(`DROPLEAF_MODEL_SEED must be an integer or random, not ${text}.`);
  return given;
}

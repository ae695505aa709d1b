// DROPLEAF_MODEL_OPERATIONS makes the run longer; DROPLEAF_MODEL_SEED takes a seed that a report has told, or the word
// `random`, which looks for what is new.

import { isThorough } from "../support/thorough.ts";

const operations = Number(process.env.DROPLEAF_MODEL_OPERATIONS || (isThorough ? 10_000 : 0));

/** Calls of two accounts beside each other, in each of the files that play them: two, of which `npm test` has one. */
export const callsOfTwo = operations > 0 ? Math.ceil(operations * 0.45) : 120;

/** Calls of one account at once, each of which takes as much as three others: what came of them is looked for in every order. */
export const callsAtOnce = operations > 0 ? Math.ceil(operations * 0.1) : 32;

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

import { parseArgs } from "node:util";
import { readSentences, type Sentence } from "./sentences.ts";

// `npm run read -- --seed 7` prints sixty random comments and forty random texts, for a reviewer who has not seen the code.

const { values } = parseArgs({ options: { seed: { type: "string", default: "1" } } });
const sentences = readSentences();
const random = randomOf(Number(values.seed));
for (const [kind, count] of Object.entries({ comment: 60, text: 40 })) {
  const ofKind = sentences.filter((sentence) => sentence.kind === kind);
  for (const { place, words } of choose(ofKind, count)) console.log(`${kind}\t${place}\t${words}`);
}

function choose(from: Sentence[], count: number): Sentence[] {
  return Array.from({ length: Math.min(count, from.length) }, () =>
    from.splice(Math.floor(random() * from.length), 1),
  ).flat();
}

/** Creates a linear congruential generator of numbers from 0 to 1. The same seed gives the same numbers. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

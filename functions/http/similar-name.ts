import { distance } from "fastest-levenshtein";

/** A longer name is not compared: the time grows with its length. */
const charactersMax = 64;

/** Finds the known name that takes the fewest edits, of at most a third of the letters. Ignores case. */
export function findSimilarName(name: string, known: readonly string[]): string | undefined {
  if (name.length > charactersMax) return undefined;
  const [best] = known
    .map((one) => ({ one, edits: distance(one.toLowerCase(), name.toLowerCase()) }))
    .filter(({ one, edits }) => edits * 3 <= Math.max(one.length, name.length))
    .sort((a, b) => a.edits - b.edits);
  return best?.one;
}

import { distance } from "fastest-levenshtein";

/** A longer name is not compared: the time grows with its length. */
const comparedCharactersMax = 64;

/** A name without the characters in which spellings differ: `isPrivate`, `is_private` and `Is-Private` are one. */
export function normalizeName(name: string): string {
  return name
    .slice(0, comparedCharactersMax)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}

/** The words of a name in camel, snake or kebab case, in small letters. */
export function wordsIn(name: string): readonly string[] {
  return name
    .slice(0, comparedCharactersMax)
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

/** Finds the known name that takes the fewest edits, of at most a third of the letters. Ignores case. */
export function findSimilarName(name: string, known: readonly string[]): string | undefined {
  if (name.length > comparedCharactersMax) return undefined;
  const [best] = known
    .map((one) => ({ one, edits: distance(one.toLowerCase(), name.toLowerCase()) }))
    .filter(({ one, edits }) => edits * 3 <= Math.max(one.length, name.length))
    .sort((a, b) => a.edits - b.edits);
  return best?.one;
}

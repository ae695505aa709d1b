import { distance } from "fastest-levenshtein";

/** Maximum number of characters of a name that are compared, to limit processor time. */
const comparedCharactersMax = 64;

/** Normalizes a name's case and separators: `isPrivate`, `is_private` and `Is-Private` all become `isprivate`. */
export function normalizeName(name: string): string {
  return name
    .slice(0, comparedCharactersMax)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}

/** Splits a name in camel, snake or kebab case into words, in lower case. */
export function wordsIn(name: string): readonly string[] {
  return name
    .slice(0, comparedCharactersMax)
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

/** Returns the singular of a word. */
export function singular(word: string): string {
  return word.replace(/(?<=[a-z]{2}[^su])s$/, "");
}

/** Finds the known name with the smallest edit distance, at most a third of the longer name's length. Ignores case. */
export function findSimilarName(name: string, known: readonly string[]): string | undefined {
  if (name.length > comparedCharactersMax) return undefined;
  const [best] = known
    .map((one) => ({ one, edits: distance(one.toLowerCase(), name.toLowerCase()) }))
    .filter(({ one, edits }) => edits * 3 <= Math.max(one.length, name.length))
    .sort((a, b) => a.edits - b.edits);
  return best?.one;
}

import { distance } from "fastest-levenshtein";

/**
 * Describes each unknown setting and suggests a known one.
 *
 * @param inside the setting that holds them. Empty: the settings themselves
 */
export function unknownNameProblems(given: object, known: readonly string[], inside = ""): string[] {
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const what = `there is no setting ${JSON.stringify(inside === "" ? name : `${inside}.${name}`)}`;
      const similar = findSimilarName(name, known);
      return similar === undefined
        ? `${what}; ${inside || "the settings"} ${inside === "" ? "are" : "takes"} ${known.join(", ")}`
        : `${what}; did you mean ${JSON.stringify(similar)}?`;
    });
}

/** Finds the known name with the fewest differing letters, of which there are at most two. Ignores case. */
export function findSimilarName(name: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((one) => ({ one, edits: distance(one.toLowerCase(), name.toLowerCase()) }))
    .filter(({ edits }) => edits <= 2)
    .sort((a, b) => a.edits - b.edits);
  return best?.one;
}

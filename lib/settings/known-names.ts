/**
 * The problem with each name of a setting that there is not, with the name that was probably meant.
 *
 * @param inside the setting that holds them. Empty: the settings themselves
 */
export function unknownNameProblems(given: object, known: readonly string[], inside = ""): string[] {
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const what = `there is no setting ${JSON.stringify(inside === "" ? name : `${inside}.${name}`)}`;
      const meant = known.find((one) => isMistypedFor(one, name));
      return meant === undefined
        ? `${what}; ${inside || "the settings"} ${inside === "" ? "are" : "takes"} ${known.join(", ")}`
        : `${what}; did you mean ${JSON.stringify(meant)}?`;
    });
}

/** At most two letters wrong, missing or too many, whatever their case. */
function isMistypedFor(known: string, name: string): boolean {
  return editsBetween(known.toLowerCase(), name.toLowerCase()) <= 2;
}

/** The Levenshtein distance. */
function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

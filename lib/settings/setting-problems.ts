import { findSimilarName } from "../../functions/http/hints.ts";

/** A value as a message shows it. */
export function quote(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}

/** Gathers problems. A check that found none gives `false`. */
export function problemsOf(...found: readonly (string | false)[]): string[] {
  return found.filter((problem) => problem !== false);
}

/**
 * Describes each unknown setting and suggests a known one.
 *
 * @param inside the setting that holds them. Empty: the settings themselves
 */
export function unknownNameProblems(given: object, known: readonly string[], inside = ""): string[] {
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const what = `there is no setting ${quote(inside === "" ? name : `${inside}.${name}`)}`;
      const similar = findSimilarName(name, known);
      return similar === undefined
        ? `${what}; ${inside || "the settings"} ${inside === "" ? "are" : "takes"} ${known.join(", ")}`
        : `${what}; did you mean ${quote(similar)}?`;
    });
}

/** Headers, cookies or query parameters that a policy selects. */
export interface Selection {
  readonly mode: "none" | "whitelist" | "all" | "allExcept";
  readonly names: ReadonlySet<string>;
}

/** Selects nothing. */
export const selectNone: Selection = { mode: "none", names: new Set() };

/** Selects everything. */
export const selectAll: Selection = { mode: "all", names: new Set() };

/** Selects the given names. */
export function selectOnly(...names: string[]): Selection {
  return { mode: "whitelist", names: new Set(names) };
}

/** Selects everything except the given names. */
export function selectAllExcept(...names: string[]): Selection {
  return { mode: "allExcept", names: new Set(names) };
}

/** True when the selection has this name. Pass header names in lower case. */
export function isSelected(selection: Selection, name: string): boolean {
  if (selection.mode === "none") return false;
  if (selection.mode === "all") return true;
  return selection.names.has(name) === (selection.mode === "whitelist");
}

/** `name=value` pairs of a query string or cookie header that any of the selections includes, unchanged. */
export function selectPairs(pairs: readonly string[], selections: readonly Selection[]): string[] {
  return pairs.filter((pair) => {
    const name = pair.split("=", 1)[0] ?? "";
    return selections.some((selection) => isSelected(selection, name));
  });
}

/** The pairs of a raw query string. */
export function queryPairs(query: string | undefined): string[] {
  return (query ?? "").split("&").filter((pair) => pair !== "");
}

/** The pairs of a `Cookie` header. */
export function cookiePairs(cookie: string | undefined): string[] {
  return (cookie ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair !== "");
}

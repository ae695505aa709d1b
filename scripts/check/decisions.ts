import { source } from "./source.ts";

/** Matches files in folders without code for drops, where only sessions, tokens and codes expire. */
const otherFolders = /^functions\/(core|edge|http|identity|oauth|people|policies|scim|table)\//;

/** Files that show or change a visibility or expiry without deciding who has access. */
const presenters: ReadonlySet<string> = new Set([
  "functions/account/form-revision.ts",
  "functions/account/share-own-drop.ts",
  "functions/account/show-own-drop.ts",
  "functions/drops/drop-access.ts",
]);

/** Patterns of comparisons that decide who may read a drop, or when access ends. */
const comparisons = [
  /\bvisibility(\.kind)?\)? *[!=]== *""/,
  /\bswitch \([^)]*\bvisibility(\.kind)?\)/,
  /\bexpiresAtMs(\.N)?\)* *[<>]/,
  /(?<![=-])[<>]=? *[\w.(]*\bexpiresAtMs\b/,
];

/** Finds lines outside `functions/policies/` that decide who may read. Ignores pages and their scripts, because they only display data. */
export function findDecisions(): { readonly file: string; readonly line: number; readonly text: string }[] {
  const files = source
    .list("functions", ".ts")
    .filter((file) => !otherFolders.test(file) && !presenters.has(file) && !file.endsWith(".client.ts"));
  return files.flatMap((file) => {
    const lines = source
      .read(file)
      .split("\n")
      .map((text, index) => ({ file, line: index + 1, text: text.trim() }));
    return lines.filter(({ text }) => isDecision(text));
  });
}

/** Returns true if a line of code decides who has access. Ignores strings, such as DynamoDB conditions. */
export function isDecision(line: string): boolean {
  const code = line.replaceAll(/"[^"]*"|`[^`]*`/g, '""');
  return comparisons.some((comparison) => comparison.test(code));
}

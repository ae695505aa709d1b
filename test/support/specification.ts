import { readFileSync } from "node:fs";

/** One row of a table: its cells by column heading, without backticks. */
export type SpecificationRow = Readonly<Record<string, string>>;

const specification = readFileSync(
  new URL("../../docs/interface-specification.txt", import.meta.url),
  "utf8",
);

/** Returns the rows of the only table under a heading such as `## Limits` or `### Drop`. Throws if it is missing. */
export function tableUnder(heading: string): SpecificationRow[] {
  const lines = sectionLines(heading).filter((line) => line.startsWith("|"));
  const [head, , ...rows] = lines.map(cellsOf);
  if (head === undefined || rows.length === 0) throw new Error(`No table under ${JSON.stringify(heading)}.`);
  return rows.map((cells) => Object.fromEntries(head.map((name, column) => [name, cells[column] ?? ""])));
}

/** Returns the only paragraph under the heading that begins with these words. */
export function paragraphUnder(heading: string, beginning: string): string {
  const found = sectionLines(heading).find((line) => line.startsWith(beginning));
  if (found === undefined)
    throw new Error(`No ${JSON.stringify(beginning)} under ${JSON.stringify(heading)}.`);
  return found;
}

/** Returns every integer in the text, in order, without thousands separators. */
export function integersIn(text: string): number[] {
  return (text.match(/\d[\d,]*/g) ?? []).map((digits) => Number(digits.replaceAll(",", "")));
}

/** Returns every word of the text in backticks. */
export function codeWordsIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, word]) => word ?? "");
}

function sectionLines(heading: string): string[] {
  const lines = specification.split("\n");
  const start = lines.indexOf(heading);
  if (start < 0) throw new Error(`The specification has no heading ${JSON.stringify(heading)}.`);
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith("#"));
  return lines.slice(start + 1, length < 0 ? undefined : start + 1 + length);
}

function cellsOf(line: string): string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

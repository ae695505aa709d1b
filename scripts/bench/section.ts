/** A section of the benchmark. Its name is an argument of `npm run bench`, and the base name of its file in docs/measured. */
export interface Section {
  readonly name: "calls" | "folders" | "bundles";
  /** Approximate duration on two idle processors. */
  readonly minutes: number;
  /** Runs all measurements of the section. Rejects only if a measurement cannot run. */
  measure(): Promise<Measurements>;
}

interface Measurements {
  readonly table: Table;
  /** Table for docs/benchmarks.md. @default - `table` */
  readonly shown?: Table;
  /** Rows of the JSON file in docs/measured. */
  readonly data: readonly object[];
  /** Operations that use AWS, but that the benchmark does not call. @default - none */
  readonly missing?: readonly string[];
}

/** A table. Each row has a cell for each column. */
export interface Table {
  /** Column headings, such as `:words | figures`. A colon aligns a column left. Other columns are aligned right. */
  readonly columns: string;
  readonly rows: readonly (readonly string[])[];
}

/** Renders a table as Markdown, with columns padded for reading in a terminal. */
export function renderTable({ columns, rows }: Table): string {
  const headings = columns.split(" | ").map((heading) => heading.replace(/^:/, ""));
  const isLeft = columns.split(" | ").map((heading) => heading.startsWith(":"));
  const widths = headings.map((heading, index) =>
    Math.max(heading.length, 4, ...rows.map((row) => (row[index] ?? "").length)),
  );
  const renderRow = (cells: readonly string[]) =>
    `| ${widths.map((width, index) => (cells[index] ?? "")[isLeft[index] ? "padEnd" : "padStart"](width)).join(" | ")} |`;
  const rules = widths.map((width, index) => {
    const dashes = "-".repeat(width - 1);
    return isLeft[index] ? `:${dashes}` : `${dashes}:`;
  });
  return [renderRow(headings), `| ${rules.join(" | ")} |`, ...rows.map(renderRow)].join("\n");
}

/**
 * Replaces the text between two HTML comments of a page.
 *
 * @throws Error if a comment is missing
 */
export function replaceBetween(page: string, comments: readonly [string, string], text: string): string {
  const [begin, end] = comments.map((comment) => `<!-- ${comment} -->`) as [string, string];
  const [beginAt, endAt] = [page.indexOf(begin), page.indexOf(end)];
  if (beginAt < 0 || endAt < beginAt)
    throw new Error(`The page lacks the line ${begin} or ${end}. Add both where the text belongs.`);
  return `${page.slice(0, beginAt)}${begin}\n\n${text}\n\n${page.slice(endAt)}`;
}

/** Renders the rows of a file in docs/measured as JSON, one row per line, so that a diff shows only changed rows. */
export function renderMeasuredRows(rows: readonly object[]): string {
  return `[\n${rows.map((row) => JSON.stringify(row)).join(",\n")}\n]\n`;
}

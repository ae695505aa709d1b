/** A column's heading; figures stand at the right. */
export interface Column {
  readonly heading: string;
  /** @default "right" */
  readonly align?: "left" | "right";
}

/** A table with a cell for each column in each row. */
export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
}

/** The table in Markdown, with columns padded so that a terminal shows it as well as a browser. */
export function renderTable({ columns, rows }: Table): string {
  const widths = columns.map(({ heading }, index) =>
    Math.max(heading.length, 4, ...rows.map((row) => (row[index] ?? "").length)),
  );
  const renderRow = (cells: readonly string[]) => {
    const padded = columns.map(({ align }, index) => {
      const [cell = "", width = 0] = [cells[index], widths[index]];
      return align === "left" ? cell.padEnd(width) : cell.padStart(width);
    });
    return `| ${padded.join(" | ")} |`;
  };
  const rules = columns.map(({ align }, index) => {
    const dashes = "-".repeat((widths[index] ?? 0) - 1);
    return align === "left" ? `:${dashes}` : `${dashes}:`;
  });
  const headings = columns.map(({ heading }) => heading);
  return [renderRow(headings), `| ${rules.join(" | ")} |`, ...rows.map(renderRow)].join("\n");
}

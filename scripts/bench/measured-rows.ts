/** Renders the rows of a file of docs/measured as JSON, one on each line, so that a diff shows a changed row as one line. */
export function renderMeasuredRows(rows: readonly object[]): string {
  return `[\n${rows.map((row) => JSON.stringify(row)).join(",\n")}\n]\n`;
}

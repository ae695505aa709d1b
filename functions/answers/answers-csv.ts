import { type Answer, valuesOf } from "./answers.ts";

/**
 * Writes answers as CSV: a line of names, then a line for each answer. After the columns of the service come the fields, in the order in
 * which they first appear. A field with several values has them in one cell, separated by "; ".
 *
 * Source: RFC 4180.
 *
 * @param withForm adds a column with the form's name
 */
export function renderAnswersCsv(all: readonly Answer[], withForm: boolean): string {
  const names = [...new Set(all.flatMap(({ fields }) => fields.map(([name]) => name)))];
  const head = ["number", ...(withForm ? ["form"] : []), "created_at", "version", "name", "signed_in"];
  const lines = all.map(({ number, form, createdAtMs, version, author, fields }) => {
    const byName = new Map(fields);
    return [
      String(number),
      ...(withForm ? [form] : []),
      new Date(createdAtMs).toISOString(),
      String(version),
      author.kind === "reader" ? author.name : "",
      String(author.kind === "reader"),
      ...names.map((name) => valuesOf(byName.get(name) ?? []).join("; ")),
    ];
  });
  return [[...head, ...names], ...lines].map((cells) => `${cells.map(toCell).join(",")}\r\n`).join("");
}

/**
 * Quotes a cell where RFC 4180 requires it. A spreadsheet shows a cell with a leading apostrophe as text: without one, it would calculate a
 * formula of a reader.
 *
 * Source: OWASP, "CSV Injection".
 */
function toCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

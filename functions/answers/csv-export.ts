import { type HttpResponse, jsonHeaders } from "../http/response.ts";
import { mediaTypes } from "../http/route.ts";
import { type Answer, valuesOf } from "./answers.ts";
import { answers } from "./store.ts";

/** Maximum number of characters in the fields of one file. AWS Lambda limits a response to 6 MB, and quoting doubles some characters. */
const exportedCharactersMax = 1_500_000;

/**
 * Creates a CSV file with as many of the answers after the number `since` as fit. Returns `next`, the number after which the next file starts,
 * or undefined with the last file.
 */
export async function readCsvFile(
  slug: string,
  asked: { readonly form: string | undefined; readonly since: number; readonly nowMs: number },
) {
  const { form, since, nowMs } = asked;
  const all: Answer[] = [];
  let characters = 0;
  let next: number | undefined = since;
  while (next !== undefined && characters < exportedCharactersMax) {
    const found = await answers.list(slug, { form, since: next, limit: 50, nowMs });
    all.push(...found.answers);
    characters += JSON.stringify(found.answers).length;
    next = found.hasMore ? found.upTo : undefined;
  }
  return { csv: renderAnswersCsv(all, form === undefined), next };
}

/** Builds a response that browsers save as a file. */
export function csvResponse(slug: string, csv: string): HttpResponse {
  return {
    status: 200,
    headers: {
      ...jsonHeaders,
      "content-type": mediaTypes.csv,
      "content-disposition": `attachment; filename="answers-${slug}.csv"`,
    },
    body: csv,
  };
}

/**
 * Renders answers as CSV (RFC 4180): a header line, then a line for each answer. The service's own columns come first,
 * then the form's fields in order of first appearance. Several values of a field share one cell, separated by "; ".
 *
 * @param withForm adds a column with the form's name
 */
function renderAnswersCsv(all: readonly Answer[], withForm: boolean): string {
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
 * Quotes a cell if RFC 4180 requires it. Adds a leading apostrophe to formulas, so that spreadsheets show them as text
 * and do not run a reader's formula (OWASP, "CSV Injection").
 */
function toCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

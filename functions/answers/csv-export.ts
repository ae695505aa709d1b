import { type HttpResponse, jsonHeaders } from "../http/response.ts";
import { mediaTypes } from "../http/route.ts";
import { type Answer, valuesOf } from "./answers.ts";
import { answers } from "./store.ts";

/** Characters of fields in one file. AWS Lambda limits a response to 6 MB, and quotation marks double some characters. */
const exportedCharactersMax = 1_500_000;

/** A file of answers, and the number to continue after. */
interface CsvFile {
  readonly csv: string;
  /** @default - these are the last answers */
  readonly next: number | undefined;
}

/** Reads the answers after a number that fit one file, as CSV. */
export async function readCsvFile(
  slug: string,
  {
    form,
    since,
    nowMs,
  }: { readonly form: string | undefined; readonly since: number; readonly nowMs: number },
): Promise<CsvFile> {
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

/** A response that browsers save as a file. */
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
 * Writes answers as CSV: a line of names, then a line for each answer. After the columns of the service come the fields, in the order in
 * which they first appear. A field with several values has them in one cell, separated by "; ".
 *
 * Source: RFC 4180.
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
 * Quotes a cell where RFC 4180 requires it. A spreadsheet shows a cell with a leading apostrophe as text: without one, it would calculate a
 * formula of a reader.
 *
 * Source: OWASP, "CSV Injection".
 */
function toCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

import { type HttpResponse, jsonHeaders } from "../http/response.ts";
import { mediaTypes } from "../http/route.ts";
import type { Answer } from "./answers.ts";
import { renderAnswersCsv } from "./answers-csv.ts";
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

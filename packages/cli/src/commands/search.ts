import * as z from "zod/mini";
import { addItems } from "../service/bounded-list.ts";
import { count, webAddress } from "../service/fields.ts";
import { type ServiceOption, selectService } from "../service/select-service.ts";
import { addTags, readTags } from "../tags.ts";
import { type Line, type Output, type StyledText, styled, writeResult } from "../terminal/output.ts";

interface SearchOptions extends ServiceOption {
  readonly tag: readonly string[];
  readonly owner?: string;
  readonly limit: number;
}

/** The displayed fields of a search result. Positions in `marks` are counted in code points. */
const resultSchema = z.object({
  title: z.string(),
  url: webAddress,
  owner: z.string(),
  own: z.boolean(),
  snippet: z.object({ text: z.string(), marks: z.array(z.tuple([count, count])) }),
});
type Result = z.output<typeof resultSchema>;

const pageSchema = z.object({ results: z.array(resultSchema), next_page: z.nullable(count) });

/** Maximum number of results in one response. */
const pageSizeMax = 50;

/** Searches the user's drops and the drops shared with the user, most relevant first. */
export async function search(
  words: readonly string[],
  { service, tag, owner, limit }: SearchOptions,
  output: Output,
): Promise<void> {
  const query = new URLSearchParams({ q: words.join(" "), pageSize: String(Math.min(limit, pageSizeMax)) });
  addTags(query, readTags(tag));
  if (owner !== undefined) query.set("owner", owner);
  const client = await selectService(service);
  const results: Result[] = [];
  let { result } = await client.call("/api/search", pageSchema, { query });
  addItems(results, result.results, client.address);
  while (results.length < limit && result.next_page !== null && result.results.length > 0) {
    query.set("page", String(result.next_page));
    ({ result } = await client.call("/api/search", pageSchema, { query }));
    addItems(results, result.results, client.address);
  }
  const shown = results.slice(0, limit);
  const lines = shown.flatMap(({ title, url, owner: by, own, snippet }): Line[] => [
    [styled("bold", title), own ? "" : styled("dim", ` by ${by}`)],
    `  ${url}`,
    ...(snippet.text === "" ? [] : [["  ", ...highlight(snippet)]]),
  ]);
  if (lines.length === 0) lines.push("No results in the pages that you can read.");
  else if (result.next_page !== null) lines.push(styled("dim", moreResults));
  writeResult(output, { ...result, results: shown }, lines);
}

const moreResults =
  "There are more results. To narrow the search, use more words. To list more, use --limit.";

function highlight({ text, marks }: Result["snippet"]): (string | StyledText)[] {
  const characters = [...text];
  const between = (start: number, end?: number) => characters.slice(start, end).join("");
  const parts: (string | StyledText)[] = [];
  let from = 0;
  for (const [start, end] of marks) {
    parts.push(between(from, start), styled("bold", between(start, end)));
    from = end;
  }
  return [...parts, between(from)];
}

import { type Output, plain, styled, writeResult } from "../output.ts";
import { type ServiceOption, selectService } from "../service/select-service.ts";
import { addTags, readTags } from "../tags.ts";

interface SearchOptions extends ServiceOption {
  readonly tag: readonly string[];
  readonly owner?: string;
  readonly limit: number;
}

/** The fields of a result that are shown. */
interface Result {
  readonly title: string;
  readonly url: string;
  readonly owner: string;
  readonly own: boolean;
  readonly snippet: { readonly text: string; readonly marks: readonly (readonly [number, number])[] };
}

interface Page {
  readonly results: readonly Result[];
  readonly next_page: number | null;
}

/** The service refuses more. */
const pageSizeMax = 50;

/** Searches the person's drops and those that others share with them, the most relevant first. */
export async function search(
  words: readonly string[],
  { service, tag, owner, limit }: SearchOptions,
  output: Output,
): Promise<void> {
  const query = new URLSearchParams({ q: words.join(" "), pageSize: String(Math.min(limit, pageSizeMax)) });
  addTags(query, readTags(tag));
  if (owner !== undefined) query.set("owner", owner);
  const client = await selectService(service);
  const { result } = await client.call<Page>("/api/search", { query });
  const lines = result.results.flatMap(({ title, url, owner: by, own, snippet }) => [
    `${styled("bold", plain(title))}${own ? "" : styled("dim", ` by ${plain(by)}`)}`,
    `  ${url}`,
    ...(snippet.text === "" ? [] : [`  ${highlighted(snippet)}`]),
  ]);
  const more =
    result.next_page === null
      ? []
      : [styled("dim", "There are more: use more words, or --limit (50 at most).")];
  writeResult(output, result, lines.length > 0 ? [...lines, ...more] : ["Nothing found that you can read."]);
}

/** Marks are in code points. */
function highlighted({ text, marks }: Result["snippet"]): string {
  const characters = [...text];
  let [shown, from] = ["", 0];
  for (const [start, end] of marks) {
    shown += plain(characters.slice(from, start).join(""));
    shown += styled("bold", plain(characters.slice(start, end).join("")));
    from = end;
  }
  return shown + plain(characters.slice(from).join(""));
}

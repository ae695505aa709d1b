import { audiencesOf } from "../drops/audiences.ts";
import { type Drop, isLocked } from "../drops/drop.ts";
import { pages } from "../drops/page-objects.ts";
import { walkPageText } from "../drops/page-text.ts";
import { normalizedWords } from "../http/normalize-text.ts";
import { isExpired } from "../identity/visibility.ts";
import { keys } from "../table/keys.ts";
import { getItems } from "../table/table.ts";
import { readFolder } from "./folder-text.ts";
import type { DocumentHead, IndexedPlace, RemovedDocument, SearchedTexts } from "./search-document.ts";

/** Files whose names are found with a page that shows them. */
const filesMax = 100;

/** So much of a page's text is searched, in UTF-16 code units. */
const textLengthMax = 500_000;

/** The path of a file in a page. */
const filePath = /\/b\/(?<id>[A-Za-z0-9]{7})(?![A-Za-z0-9])/g;

/** Index fields of a drop as it is now, without its texts. */
export function headOf(
  place: IndexedPlace,
  drop: Drop | undefined,
  nowMs: number,
): DocumentHead | RemovedDocument {
  if (drop === undefined || isExpired(drop, nowMs)) {
    return { ownerId: place.ownerId, slug: place.slug, isRemoved: true };
  }
  const { ownerId, slug, revision, createdAtMs, updatedAtMs, latest } = drop;
  return {
    ownerId,
    slug,
    revision,
    createdAtMs,
    updatedAtMs,
    version: latest.version,
    pageKey: latest.pageKey,
    audiences: audiencesOf(drop.visibility),
    isLocked: isLocked(drop),
    titleWords: normalizedWords(`${drop.title} ${drop.description ?? ""}`).join(" "),
  };
}

/**
 * The texts of a drop that are searched: of a locked one its title, and nothing behind the passcode. Undefined where a deletion was faster.
 *
 * The function needs `pages: ["GetObject"]`, and `BatchGetItem` of USER.
 */
export async function readTexts(drop: Drop): Promise<SearchedTexts | undefined> {
  const { title, latest, ownerId } = drop;
  if (isLocked(drop)) return { ...noTexts, title };
  const [source, page, context, folder] = await Promise.all([
    pages.getSource(latest.pageKey),
    pages.getBytes(latest.pageKey),
    latest.hasContext ? pages.getContext(latest.pageKey) : undefined,
    readFolder(drop),
  ]);
  if (page === undefined) return undefined;
  const html = page.toString();
  const text = source?.toString() ?? [html, ...folder.pages].map(visibleText).join("\n");
  return {
    title,
    description: drop.description ?? "",
    metadata: [...drop.metadata.values()].join("\n"),
    context: context?.toString() ?? "",
    files: [...folder.names, ...(await fileNames(ownerId, html))].join("\n"),
    text: text.slice(0, textLengthMax).toWellFormed(),
  };
}

const noTexts: SearchedTexts = { title: "", description: "", metadata: "", context: "", files: "", text: "" };

async function fileNames(ownerId: string, html: string): Promise<string[]> {
  const ids = new Set(Array.from(html.matchAll(filePath), ({ groups = {} }) => groups.id as string));
  if (ids.size === 0) return [];
  const items = await getItems([...ids].slice(0, filesMax).map((id) => keys.blob(ownerId, id)));
  return items.map(({ filename }) => String(filename ?? ""));
}

/** Elements within a line of text: the others separate words. */
const inline: ReadonlySet<string> = new Set(
  "a abbr b bdi bdo big cite code data del dfn em font i ins kbd mark q rp rt ruby s samp small span strong sub sup time tt u var wbr".split(
    " ",
  ),
);

/** The text that a page shows, in one line for each block. */
export function visibleText(html: string): string {
  let shown = "";
  walkPageText(html, {
    text(text, unseenIn) {
      if (unseenIn === "") shown += text;
    },
    tag(name) {
      if (!inline.has(name)) shown += "\n";
    },
  });
  return shown
    .replace(/[^\S\n]+/gu, " ")
    .replace(/ ?\n[ \n]*/g, "\n")
    .trim();
}

import { audiencesOf } from "../drops/audiences.ts";
import { type Drop, isLocked } from "../drops/drop.ts";
import { pages } from "../drops/page-objects.ts";
import { walkPageText } from "../drops/page-text.ts";
import { normalizedWords } from "../http/normalize-text.ts";
import { isExpired } from "../identity/visibility.ts";
import { readFileNames } from "./file-names.ts";
import { readFolder } from "./folder-text.ts";
import {
  type DocumentHead,
  type IndexedPlace,
  type IndexedTexts,
  noTexts,
  type RemovedDocument,
} from "./search-document.ts";

/** Length of a page's text that is searched, in UTF-16 code units. */
const textLengthMax = 500_000;

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
    metadata: isLocked(drop) ? [] : [...drop.metadata],
    titleWords: normalizedWords(`${drop.title} ${drop.description ?? ""}`).join(" "),
  };
}

/**
 * The texts of a drop that are searched: of a locked one its title, and nothing behind the passcode. Undefined where a deletion was faster.
 *
 * The function needs `pages: ["GetObject"]`, and `BatchGetItem` of USER.
 */
export async function readTexts(drop: Drop, nowMs: number): Promise<IndexedTexts | undefined> {
  const { title, latest } = drop;
  if (isLocked(drop)) return { ...noTexts, title };
  const [source, page, context, folder] = await Promise.all([
    pages.getSource(latest.pageKey),
    pages.getBytes(latest.pageKey),
    latest.hasContext ? pages.getContext(latest.pageKey) : undefined,
    readFolder(drop),
  ]);
  if (page === undefined) return undefined;
  const html = page.toString();
  const text =
    source?.toString() ?? [...[html, ...folder.pages].map(visibleText), ...folder.names].join("\n");
  return {
    title,
    description: drop.description ?? "",
    metadata: [...drop.metadata.values()].join("\n"),
    context: context?.toString() ?? "",
    ...(await readFileNames(drop, html, nowMs)),
    text: text.slice(0, textLengthMax).toWellFormed(),
  };
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

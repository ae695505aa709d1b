import { normalizedWords } from "../core/normalize-text.ts";
import { type Drop, isLocked } from "../drops/drop.ts";
import { pages } from "../drops/page-objects.ts";
import { visibleText } from "../drops/page-text.ts";
import { entryOf } from "../folders/entry.ts";
import { decodePage } from "../folders/page-charset.ts";
import { audiencesOf, isExpired } from "../policies/access.ts";
import { readFileNames } from "./file-names.ts";
import { textLengthMax } from "./indexed-terms.ts";
import {
  type DocumentHead,
  type IndexedPlace,
  type IndexedTexts,
  noTexts,
  type RemovedDocument,
} from "./search-document.ts";

/** Maximum number of bytes that are read from an entry page, and from all other pages of a folder together. */
const readBytesMax = 2 * 1024 * 1024;

/** Builds the index fields of a drop, without its texts. For a missing or expired drop, returns a tombstone. */
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
    audiences: audiencesOf(drop),
    isLocked: isLocked(drop),
    metadata: isLocked(drop) ? [] : [...drop.metadata],
    titleWords: normalizedWords(`${drop.title} ${drop.description ?? ""}`).join(" "),
  };
}

/**
 * Reads the texts of a drop that the search index contains; for a locked drop, only the title. Also returns the length of the parsed HTML
 * in UTF-16 code units. Returns undefined if the version was deleted in the meantime.
 *
 * Callers need the grants `pages: ["GetObject"]`, and `BatchGetItem` on USER.
 */
export async function readTexts(drop: Drop, nowMs: number) {
  const { title, latest } = drop;
  if (isLocked(drop)) return { texts: { ...noTexts, title }, htmlLength: 0 };
  const [source, page, context] = await Promise.all([
    pages.getSource(latest.pageKey),
    pages.getBytes(latest.pageKey),
    latest.hasContext ? pages.getContext(latest.pageKey) : undefined,
  ]);
  if (page === undefined) return undefined;
  const html = page.toString("utf8", 0, readBytesMax);
  const text = source?.toString() ?? visibleText(html, textLengthMax);
  const folder = latest.folder && (await readOthers(drop, textLengthMax - text.length));
  const texts = {
    title,
    ...changeableTexts(drop),
    context: context?.toString() ?? "",
    ...(await readFileNames(drop, html, nowMs)),
    text: text + (folder?.text ?? ""),
  };
  return { texts, htmlLength: html.length + (folder?.htmlLength ?? 0) };
}

/** Maximum number of a folder's pages that are indexed besides its entry page. */
const folderPagesMax = 100;

/** Maximum number of a folder's pages that are read concurrently. */
const readsAtOnce = 10;

/** Reads the names of a folder's files and the texts of its pages except the entry page, up to a total length. */
async function readOthers(drop: Drop, lengthMax: number) {
  const manifest = (await pages.getManifest(drop.latest.pageKey)) ?? { files: {} };
  const entry = entryOf(manifest);
  const files = Object.entries(manifest.files);
  const others = files
    .filter(([path]) => /\.html?$/i.test(path) && path !== entry)
    .slice(0, folderPagesMax)
    .map(([, file]) => file);
  let text = ["", ...files.map(([path]) => path)].join("\n");
  let htmlLength = 0;
  const isEnough = () => text.length >= lengthMax || htmlLength >= readBytesMax;
  for (let start = 0; start < others.length && !isEnough(); start += readsAtOnce) {
    const some = others
      .slice(start, start + readsAtOnce)
      .filter(({ sizeBytes }) => sizeBytes <= readBytesMax);
    for (const bytes of await Promise.all(some.map((file) => pages.getPart(file)))) {
      if (bytes === undefined || isEnough()) continue;
      const html = decodePage(bytes);
      htmlLength += html.length;
      text += `\n${visibleText(html, lengthMax - text.length)}`;
    }
  }
  return { text, htmlLength };
}

/** Texts of a drop that can change without a new version. Empty for a locked drop. */
export function changeableTexts(drop: Drop): Pick<IndexedTexts, "description" | "metadata"> {
  if (isLocked(drop)) return { description: "", metadata: "" };
  return { description: drop.description ?? "", metadata: [...drop.metadata.values()].join("\n") };
}

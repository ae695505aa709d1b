import { once } from "node:events";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import pLimit from "p-limit";
import { writeFault } from "../core/log.ts";
import { normalizeText } from "../core/normalize-text.ts";
import type { Drop } from "../drops/drop.ts";
import { findFolderFile, pages, pagesBucket, s3 } from "../drops/page-objects.ts";
import { walkPageText } from "../drops/page-text.ts";
import { publicDrops } from "../drops/public-drops.ts";
import { entryPath } from "../folders/folder.ts";
import { decodePage } from "../folders/page-charset.ts";
import { pageTextKey, type Thread } from "./feedback.ts";

/**
 * Extracts a page's text, normalized by `normalizeText`. A quoted passage is found in this text regardless of elements
 * and white space between its words. Script texts come last, because many pages generate their text from scripts.
 * Styles and attributes are omitted.
 */
export function normalizePage(html: string): string {
  let [shown, written] = ["", ""];
  walkPageText(html, {
    text(text, unseenIn) {
      if (unseenIn === "") shown += text;
      else if (unseenIn === "script") written += text;
    },
  });
  // Separates page text and script text with a character that no normalized passage contains.
  return `${normalizeText(shown)}\0${normalizeText(written)}`;
}

/**
 * Reads the normalized text of a page. Returns undefined if the page does not exist. If the text is not stored yet, parses the page and
 * stores the text; see docs/adr/0070-feedback.md.
 */
async function readNormalizedPage(pageKey: string): Promise<string | undefined> {
  const stored = await pages.getBytes(pageTextKey(pageKey));
  if (stored !== undefined) return stored.toString();
  const page = await pages.get(pageKey);
  if (page === undefined) return undefined;
  const words = normalizePage(page.bytes.toString());
  await storeWords(pageKey, words);
  return words;
}

/** Reads the normalized text of a folder's page. Returns an empty string if the version does not have the page. */
async function readFolderPage(pageKey: string, path: string): Promise<string | undefined> {
  const file = await findFolderFile(pageKey, path);
  if (file === undefined) return "";
  const bytes = await pages.getPart(file);
  return bytes && normalizePage(decodePage(bytes));
}

/** Timeout for storing a text, in milliseconds. */
const storeMsMax = 1_000;

/** Stores a page's text. After a failure, the next caller creates the text again. The orphan check removes texts of deleted pages. */
async function storeWords(pageKey: string, words: string): Promise<void> {
  const abortSignal = AbortSignal.timeout(storeMsMax);
  const command = new PutObjectCommand({
    Bucket: pagesBucket(),
    Key: pageTextKey(pageKey),
    Body: words,
    ContentType: "text/plain; charset=utf-8",
  });
  try {
    // Races the upload against the timeout, because the SDK does not check the abort signal between its attempts.
    await Promise.race([
      s3.send(command, { abortSignal }),
      once(abortSignal, "abort").then(() => abortSignal.throwIfAborted()),
    ]);
  } catch (error) {
    writeFault({ level: "warn", event: "words-not-stored" }, error);
  }
}

/**
 * State of a thread's quoted passage in a version of the drop. `none`: the thread quotes nothing. `gone`: only the quoted version contains
 * the passage. `unknown`: neither version contains the passage, for example because a script added it to the page, or the search timed out.
 */
export interface QuotePosition {
  readonly state: "kept" | "gone" | "none" | "unknown";
  /** Number of the searched version. */
  readonly version: number;
}

/** Maximum number of pages that are searched for one response, because a list of comments may quote about fifty pages of up to 2 MiB. */
const pagesMax = 20;
const searchMsMax = 1_500;

/** Number of pages that are searched concurrently. Searches overlap while they wait for S3, but share one processor. */
const pagesAtOnce = 4;

/**
 * Creates a function that locates quoted passages for one response. The function reads the text of each page once, within a time limit. The
 * operation needs the grants `pages: ["GetObject"]` and `words: ["PutObject"]`.
 *
 * @example const findPassage = createQuoteLocator(); const { state } = await findPassage({ slug, ...drop.latest }, thread);
 */
export function createQuoteLocator() {
  const read = wordsReader();
  return async (
    { slug, version, pageKey }: Pick<Drop["latest"], "version" | "pageKey"> & { readonly slug: string },
    { quote = "", path = entryPath, version: quotedVersion }: Pick<Thread, "quote" | "path" | "version">,
  ): Promise<QuotePosition> => {
    const words = normalizeText(quote);
    if (words === "") return { state: "none", version };
    const now = await read(pageKey, path);
    if (now === undefined) return { state: "unknown", version };
    if (now.includes(words)) return { state: "kept", version };
    const before =
      quotedVersion === version
        ? undefined
        : await publicDrops
            .findVersion(slug, quotedVersion)
            .then((found) => found && read(found.pageKey, path));
    return { state: before?.includes(words) ? "gone" : "unknown", version };
  };
}

/** Creates a function that reads page texts, each page once. The function returns undefined for a missing version, or after the time limit. */
function wordsReader(): (pageKey: string, path: string) => Promise<string | undefined> {
  const known = new Map<string, Promise<string | undefined>>();
  const limit = pLimit(pagesAtOnce);
  const startedAtMs = performance.now();
  const find = async (pageKey: string, path: string) => {
    if (performance.now() - startedAtMs > searchMsMax) return undefined;
    return path === entryPath ? readNormalizedPage(pageKey) : readFolderPage(pageKey, path);
  };
  return (pageKey, path) => {
    const name = `${pageKey} ${path}`;
    const found = known.get(name) ?? (known.size < pagesMax ? limit(find, pageKey, path) : undefined);
    if (found === undefined) return Promise.resolve(undefined);
    known.set(name, found);
    return found;
  };
}

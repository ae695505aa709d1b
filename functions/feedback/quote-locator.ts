import { once } from "node:events";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import pLimit from "p-limit";
import { writeFault } from "../core/log.ts";
import { normalizeText } from "../core/normalize-text.ts";
import type { Drop } from "../drops/drop.ts";
import { findFolderFile } from "../drops/folder-page.ts";
import { pages, pagesBucket, s3 } from "../drops/page-objects.ts";
import { walkPageText } from "../drops/page-text.ts";
import { publicDrops } from "../drops/public-drops.ts";
import { entryPath } from "../folders/folder.ts";
import { decodePage } from "../folders/page-charset.ts";
import { pageTextKey, type Thread } from "./feedback.ts";

/**
 * Extracts the text of a page in the form of `normalizeText`. A quoted passage in that form is found in it, whatever
 * elements and white space separate its words. The texts of scripts are last, since many pages write themselves from
 * them. Styles and attributes are left out.
 */
export function normalizePage(html: string): string {
  let [shown, written] = ["", ""];
  walkPageText(html, {
    text(text, unseenIn) {
      if (unseenIn === "") shown += text;
      else if (unseenIn === "script") written += text;
    },
  });
  // A character that no normalized passage has separates the two texts.
  return `${normalizeText(shown)}\0${normalizeText(written)}`;
}

/**
 * The normalized text of a page; undefined if the page does not exist. The first caller parses the page and stores its
 * text: docs/adr/0070-feedback.md.
 *
 * The row needs `pages: ["GetObject"]` and `words: ["PutObject"]`.
 */
export async function readNormalizedPage(pageKey: string): Promise<string | undefined> {
  const stored = await pages.getBytes(pageTextKey(pageKey));
  if (stored !== undefined) return stored.toString();
  const page = await pages.get(pageKey);
  if (page === undefined) return undefined;
  const words = normalizePage(page.bytes.toString());
  await storeWords(pageKey, words);
  return words;
}

/** The normalized text of a folder's page; empty if the version does not have the page. */
async function readFolderPage(pageKey: string, path: string): Promise<string | undefined> {
  const file = await findFolderFile(pageKey, path);
  if (file === undefined) return "";
  const bytes = await pages.getPart(file);
  return bytes && normalizePage(decodePage(bytes));
}

/** Time limit of storing a text, which the next caller can create again. */
const storeMsMax = 1_000;

/** Stores a page's text. After a failure, the next caller creates it again. The orphan check removes texts of deleted pages. */
async function storeWords(pageKey: string, words: string): Promise<void> {
  const abortSignal = AbortSignal.timeout(storeMsMax);
  const command = new PutObjectCommand({
    Bucket: pagesBucket(),
    Key: pageTextKey(pageKey),
    Body: words,
    ContentType: "text/plain; charset=utf-8",
  });
  try {
    // The SDK obeys the signal while it waits for a response, but not in the pauses between its attempts.
    await Promise.race([
      s3.send(command, { abortSignal }),
      once(abortSignal, "abort").then(() => abortSignal.throwIfAborted()),
    ]);
  } catch (error) {
    writeFault({ level: "warn", event: "words-not-stored" }, error);
  }
}

/**
 * State of a thread's quoted passage in a version of the drop. `none`: the thread quotes nothing. `gone`: only the
 * quoted version contains it. `unknown`: neither version contains it, because a script or another person wrote it, or
 * the time limit was reached.
 */
export interface QuotePosition {
  readonly state: "kept" | "gone" | "none" | "unknown";
  /** The version that was searched. */
  readonly version: number;
}

/** Fields of a thread that locate its quote. */
export type QuotingThread = Pick<Thread, "quote" | "path" | "version">;

/** The version of a drop that is searched. */
interface SearchedVersion extends Pick<Drop["latest"], "version" | "pageKey"> {
  readonly slug: string;
}

/** Limit of pages for one response: a list may cover about fifty pages, and an unparsed page has up to 2 MiB. */
const pagesMax = 20;
const searchMsMax = 1_500;

/** Pages that are searched concurrently: they wait for S3 and share a processor. */
const pagesAtOnce = 4;

/**
 * Creates a locator of quoted passages for one response. It reads the text of each page once, within a time
 * limit.
 *
 * @example
 * const findPassage = createQuoteLocator();
 * const { state } = await findPassage({ slug, ...drop.latest }, thread);
 */
export function createQuoteLocator(): (
  searched: SearchedVersion,
  thread: QuotingThread,
) => Promise<QuotePosition> {
  const read = wordsReader();
  return async ({ slug, version, pageKey }, { quote = "", path = entryPath, version: quotedVersion }) => {
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

/** Reads the texts of several pages, each once; undefined for a missing version, or past the time limit. */
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

import { once } from "node:events";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import pLimit from "p-limit";
import { writeFault } from "../core/log.ts";
import { normalizeText } from "../core/normalize-text.ts";
import type { Drop } from "../drops/drop.ts";
import { pages, pagesBucket, s3 } from "../drops/page-objects.ts";
import { walkPageText } from "../drops/page-text.ts";
import { publicDrops } from "../drops/public-drops.ts";
import { entryPath } from "../folders/folder.ts";
import { decodePage } from "../folders/page-charset.ts";
import { pageTextKey } from "./feedback.ts";
import { findFolderFile } from "./folder-page.ts";

/**
 * The words of a page as `normalizeText` gives them: a quoted passage in that form is found in them, whatever elements and white space
 * are between its words. The texts of scripts come last, since many pages write themselves from them. Styles and attributes show no words.
 */
export function normalizePage(html: string): string {
  let [shown, written] = ["", ""];
  walkPageText(html, {
    text(text, unseenIn) {
      if (unseenIn === "") shown += text;
      else if (unseenIn === "script") written += text;
    },
  });
  // Between the two stands a character that no passage in this form has.
  return `${normalizeText(shown)}\0${normalizeText(written)}`;
}

/**
 * The normalized words of a page, undefined if the page does not exist. The first caller parses the page and stores its words:
 * docs/adr/0070-feedback.md.
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

/** The normalized words of a folder's page, which are empty where the version does not have it. */
async function readFolderPage(pageKey: string, path: string): Promise<string | undefined> {
  const file = await findFolderFile(pageKey, path);
  if (file === undefined) return "";
  const bytes = await pages.getPart(file);
  return bytes && normalizePage(decodePage(bytes));
}

/** Nobody waits longer for what can be made again. */
const storeMsMax = 1_000;

/** Words that could not be stored are made again by the next one who looks. The orphan check removes those of a page that is gone. */
async function storeWords(pageKey: string, words: string): Promise<void> {
  const abortSignal = AbortSignal.timeout(storeMsMax);
  const command = new PutObjectCommand({
    Bucket: pagesBucket(),
    Key: pageTextKey(pageKey),
    Body: words,
    ContentType: "text/plain; charset=utf-8",
  });
  try {
    // The SDK heeds the signal while it waits for a response, and not in the pauses between its tries.
    await Promise.race([
      s3.send(command, { abortSignal }),
      once(abortSignal, "abort").then(() => abortSignal.throwIfAborted()),
    ]);
  } catch (error) {
    writeFault({ level: "warn", event: "words-not-stored" }, error);
  }
}

/**
 * The state of the passage that a thread is about, in a version of the drop. `none`: it quotes nothing. `gone`: it stood in
 * the version that it was quoted from. `unknown`: it stands in neither, because a script writes it or somebody else has, or there was
 * no time to look.
 */
export interface QuotePosition {
  readonly state: "kept" | "gone" | "none" | "unknown";
  /** The version that was searched. */
  readonly version: number;
}

/** Fields of a thread that locate its quote. */
export interface QuotingThread {
  /** @default - it is about the page as a whole */
  readonly quote?: string | undefined;
  /** The page of a folder that it was quoted from. @default - the drop was one page */
  readonly path?: string | undefined;
  /** The version that it was quoted from. */
  readonly version: number;
}

/** The version of a drop that is searched. */
interface SearchedVersion extends Pick<Drop["latest"], "version" | "pageKey"> {
  readonly slug: string;
}

/** Work of one response: a list may cover about fifty pages, and an unparsed page has up to 2 MiB. */
const pagesMax = 20;
const searchMsMax = 1_500;

/** Pages that are gone through at once: they wait for S3, and share a processor. */
const pagesAtOnce = 4;

/**
 * Finds out, for one response, where quoted passages stand: the words of each page are read once, and no more of them than there is
 * time for.
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

/** Reads the words of several pages, each once; undefined for a missing version, or when the time is up. */
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

import pLimit from "p-limit";
import type { Drop } from "../drops/drop.ts";
import { pages } from "../drops/page-objects.ts";
import { served } from "../drops/served.ts";
import { toWords, wordsOfPage } from "./page-words.ts";

/**
 * What has become of the passage that a thread is about, in a drop's latest version. `none`: it quotes nothing. `gone`: it stood in
 * the version that it was quoted from. `unknown`: it stands in neither, because a script writes it or somebody else has, or there was
 * no time to look.
 */
export interface Passage {
  readonly state: "kept" | "gone" | "none" | "unknown";
  /** The drop's latest version, which was looked through. */
  readonly version: number;
}

/** What of a thread says where its passage was. */
export interface QuotingThread {
  /** @default - it is about the page as a whole */
  readonly quote?: string | undefined;
  /** The version that it was quoted from. */
  readonly version: number;
}

/** What of a drop leads to its pages. */
type SearchedDrop = Pick<Drop, "slug" | "latest">;

/** What one answer may take: pages are up to 2 MiB each, and a list may be about fifty of them. */
const pagesMax = 20;
const searchMsMax = 1_500;

/** Pages that are gone through at once: they wait for S3, and share a processor. */
const pagesAtOnce = 4;

/**
 * Finds out, for one answer, where quoted passages stand: each page is read once, and no more of them than there is time for.
 *
 * @example
 * const findPassage = passageFinder();
 * const { state } = await findPassage(drop, thread);
 */
export function passageFinder(): (drop: SearchedDrop, thread: QuotingThread) => Promise<Passage> {
  const read = pageReader();
  return async ({ slug, latest }, { quote = "", version }) => {
    const words = toWords(quote);
    if (words === "") return { state: "none", version: latest.version };
    const now = await read(latest.pageKey);
    if (now === undefined) return { state: "unknown", version: latest.version };
    if (now.includes(words)) return { state: "kept", version: latest.version };
    const before =
      version === latest.version
        ? undefined
        : await served.findVersion(slug, version).then((found) => found && read(found.pageKey));
    return { state: before?.includes(words) ? "gone" : "unknown", version: latest.version };
  };
}

/** Reads the words of pages, each once; undefined of one that is not there, or that there is no time for. */
function pageReader(): (pageKey: string) => Promise<string | undefined> {
  const known = new Map<string, Promise<string | undefined>>();
  const limit = pLimit(pagesAtOnce);
  const startedAtMs = performance.now();
  const find = async (pageKey: string) => {
    if (performance.now() - startedAtMs > searchMsMax) return undefined;
    const page = await pages.get(pageKey);
    return page && wordsOfPage(page.bytes.toString());
  };
  return (pageKey) => {
    const found = known.get(pageKey) ?? (known.size < pagesMax ? limit(find, pageKey) : undefined);
    if (found === undefined) return Promise.resolve(undefined);
    known.set(pageKey, found);
    return found;
  };
}

import pLimit from "p-limit";
import type { Drop } from "../drops/drop.ts";
import { served } from "../drops/served.ts";
import { normalizeText } from "../platform/normalize-text.ts";
import { readWords } from "./stored-words.ts";

/**
 * The state of the passage that a thread is about, in a version of the drop. `none`: it quotes nothing. `gone`: it stood in
 * the version that it was quoted from. `unknown`: it stands in neither, because a script writes it or somebody else has, or there was
 * no time to look.
 */
export interface Passage {
  readonly state: "kept" | "gone" | "none" | "unknown";
  /** The version that was searched. */
  readonly version: number;
}

/** What of a thread says where its passage was. */
export interface QuotingThread {
  /** @default - it is about the page as a whole */
  readonly quote?: string | undefined;
  /** The version that it was quoted from. */
  readonly version: number;
}

/** The version of a drop that is searched. */
interface SearchedVersion extends Pick<Drop["latest"], "version" | "pageKey"> {
  readonly slug: string;
}

/** The work of one response: a list may be about fifty pages, and one whose words nobody has looked for is up to 2 MiB to parse. */
const pagesMax = 20;
const searchMsMax = 1_500;

/** Pages that are gone through at once: they wait for S3, and share a processor. */
const pagesAtOnce = 4;

/**
 * Finds out, for one response, where quoted passages stand: the words of each page are read once, and no more of them than there is
 * time for.
 *
 * @example
 * const findPassage = passageFinder();
 * const { state } = await findPassage({ slug, ...drop.latest }, thread);
 */
export function passageFinder(): (searched: SearchedVersion, thread: QuotingThread) => Promise<Passage> {
  const read = wordsReader();
  return async ({ slug, version, pageKey }, { quote = "", version: quotedVersion }) => {
    const words = normalizeText(quote);
    if (words === "") return { state: "none", version };
    const now = await read(pageKey);
    if (now === undefined) return { state: "unknown", version };
    if (now.includes(words)) return { state: "kept", version };
    const before =
      quotedVersion === version
        ? undefined
        : await served.findVersion(slug, quotedVersion).then((found) => found && read(found.pageKey));
    return { state: before?.includes(words) ? "gone" : "unknown", version };
  };
}

/** Reads the words of pages, each once; undefined of one that is not there, or that there is no time for. */
function wordsReader(): (pageKey: string) => Promise<string | undefined> {
  const known = new Map<string, Promise<string | undefined>>();
  const limit = pLimit(pagesAtOnce);
  const startedAtMs = performance.now();
  const find = async (pageKey: string) =>
    performance.now() - startedAtMs > searchMsMax ? undefined : readWords(pageKey);
  return (pageKey) => {
    const found = known.get(pageKey) ?? (known.size < pagesMax ? limit(find, pageKey) : undefined);
    if (found === undefined) return Promise.resolve(undefined);
    known.set(pageKey, found);
    return found;
  };
}

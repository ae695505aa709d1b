import { isHtml } from "../../folders/content-type.ts";
import type { FolderPlace } from "../../folders/folder-addresses.ts";
import { rewritePage, rewriteStyleSheet } from "../../folders/rewrite-addresses.ts";
import type { DrawnFile } from "../report.ts";

/** A file, with the headers and bytes that the page receives. */
interface FetchedFile {
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** The files that a page may load. */
export type OwnerFiles = ReturnType<typeof ownerFiles>;

const fetchMsMax = 5_000;
/** Maximum total size of a page's files, which are held in memory during the render. */
const bytesMax = 50_000_000;

/**
 * Fetches the files listed in the request. No other part of the function uses the network. Rewrites the URLs in a folder's pages and style
 * sheets, as the service does.
 *
 * @param pageUrl URL of the page, or of the folder
 */
export function ownerFiles(files: readonly DrawnFile[], pageUrl: string) {
  const inFolder = Object.fromEntries(
    files.filter(({ part }) => part).map((file) => [file.url.slice(pageUrl.length), file]),
  );
  const byUrl = new Map(files.map((file) => [file.part ? file.url : withoutFragment(file.url), file]));
  const fetched = new Map<DrawnFile, Promise<FetchedFile | undefined>>();
  let heldBytes = 0;
  return {
    find: (url: string) => byUrl.get(withoutFragment(url)) ?? byUrl.get(decoded(url)),
    fetchedBytes: () => heldBytes,
    /** Fetches a file once for all views. Returns undefined if the file is missing, too slow or too large. */
    fetch(file: DrawnFile): Promise<FetchedFile | undefined> {
      const known = fetched.get(file);
      if (known !== undefined) return known;
      const reading = read(file, (count) => {
        heldBytes += count;
        return heldBytes <= bytesMax;
      });
      const requested = encodeURI(file.url.slice(pageUrl.length));
      const place = { files: inFolder, folderUrl: pageUrl, requested };
      const fetching = file.part ? reading.then((read) => read && asServed(read, place)) : reading;
      fetched.set(file, fetching);
      return fetching;
    },
  };
}

async function read(
  { source, part, contentType }: DrawnFile,
  mayHold: (count: number) => boolean,
): Promise<FetchedFile | undefined> {
  if (source === undefined) return undefined;
  if (part?.sizeBytes === 0) return { contentType, bytes: Buffer.alloc(0) };
  const headers = part && { range: `bytes=${part.offset}-${part.offset + part.sizeBytes - 1}` };
  const signal = AbortSignal.timeout(fetchMsMax);
  try {
    const response = await fetch(source, { redirect: "error", signal, ...(headers && { headers }) });
    if (!response.ok || response.body === null) return undefined;
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) {
      if (!mayHold(chunk.byteLength)) return undefined;
      chunks.push(chunk);
    }
    return { contentType, bytes: Buffer.concat(chunks) };
  } catch {
    return undefined;
  }
}

function asServed({ contentType, bytes }: FetchedFile, place: FolderPlace): FetchedFile {
  if (contentType.startsWith("text/css")) return { contentType, bytes: rewriteStyleSheet(bytes, place) };
  return { contentType, bytes: isHtml(contentType) ? rewritePage(bytes, place, () => true) : bytes };
}

/** Converts a URL to the form of `DrawnFile.url` for folders: decoded, and without the query string that tools add to bypass caches. */
function decoded(url: string): string {
  try {
    const { origin, pathname } = new URL(url);
    return (origin + decodeURIComponent(pathname)).normalize("NFC");
  } catch {
    return url;
  }
}

function withoutFragment(url: string): string {
  return url.replace(/#.*/s, "");
}

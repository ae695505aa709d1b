import pLimit from "p-limit";
import { type Blob, servedAs } from "../blobs/blob.ts";
import { findShownFile } from "../blobs/shown-file.ts";
import { toBlob } from "../blobs/store.ts";
import type { Drop } from "../drops/drop.ts";
import { addressPattern } from "../pages/embedded-files.ts";
import { addDefaultStyle, frameScript, rawPage } from "../pages/raw-response.ts";
import { keys } from "../platform/keys.ts";
import { limits } from "../platform/limits.ts";
import { signAddress } from "../platform/signed-address.ts";
import { blobUrl, rawUrl, type Site } from "../platform/site.ts";
import { getItems } from "../platform/table.ts";
import { isOpenToAll } from "../platform/visibility.ts";
import type { DrawnFile, DrawRequest } from "../renders/report.ts";

/** A page as it is stored. */
interface StoredPage {
  readonly chunks: readonly Buffer[];
  readonly styleOffset: number;
}

/** What is asked of the function with the browser, and whether it gets files that only some may read. */
interface DrawQuestion {
  readonly request: Omit<DrawRequest, "extent">;
  readonly hasRestrictedFiles: boolean;
}

/** Longer than it takes to draw a page, a wait for the function included. */
const addressSeconds = 300;

/**
 * A version as a reader's frame gets it: the bytes, the headers, of which `sandbox` takes its origin from it, and the files of its
 * owner's that it names. Of these it gets what its readers get: what is open to all, and in a drop for some readers also what is for
 * some, docs/adr/0051-files-for-some-readers.md.
 */
export async function drawQuestionOf(
  drop: Drop,
  version: number,
  page: StoredPage,
  site: Site,
): Promise<DrawQuestion> {
  const body = addDefaultStyle(page.chunks, page.styleOffset, frameScript);
  const { headers } = rawPage(body, {
    drop,
    hasOwnOrigin: false,
    isPinned: true,
    isGuarded: !isOpenToAll(drop),
    isFramed: true,
  });
  const named = await findNamedFiles(body, drop, site);
  const files = await Promise.all(named.map((one) => toDrawnFile(one, drop)));
  return {
    request: {
      page: body.toString("base64"),
      url: `${rawUrl(site, drop.namespace, drop.slug)}?v=${version}`,
      headers,
      files,
    },
    hasRestrictedFiles: named.some(({ file }) => mayBeDrawn(file, drop) && !isOpenToAll(file)),
  };
}

/** A file by an address that a page has of it. */
interface NamedFile {
  /** Whole. */
  readonly url: string;
  readonly file: Blob;
}

/** The files that the page names as the service hands their addresses out, each by every such address. */
async function findNamedFiles(page: Buffer, { ownerId, namespace }: Drop, site: Site): Promise<NamedFile[]> {
  const below = blobUrl(site, namespace, "");
  // Each byte a character: addresses are ASCII, whatever stands around them.
  const found = page.toString("latin1").matchAll(addressPattern(site, namespace));
  const idOf = new Map(
    Array.from(found, ([address, before, id]) => [
      below + address.slice((before as string).length),
      id as string,
    ]),
  );
  const ids = [...new Set(idOf.values())].slice(0, limits.embeddedFilesMax);
  const own = (await getItems(ids.map((id) => keys.blob(ownerId, id)))).map(toBlob);
  const files = new Map(own.filter((file) => file.namespace === namespace).map((file) => [file.id, file]));
  // What went to another account has its address here all the same.
  const limit = pLimit(filesAtOnce);
  const others = ids.filter((id) => !files.has(id)).map((id) => limit(findShownFile, namespace, id));
  for (const file of await Promise.all(others)) if (file !== undefined) files.set(file.id, file);
  return [...idOf].flatMap(([url, id]) => {
    const file = files.get(id);
    return file === undefined ? [] : [{ url, file }];
  });
}

const filesAtOnce = 8;

async function toDrawnFile({ url, file }: NamedFile, drop: Drop): Promise<DrawnFile> {
  const { contentType } = servedAs(file.filename, file.contentType);
  if (!mayBeDrawn(file, drop)) return { url, source: undefined, why: "not-for-readers", contentType };
  const source = await signAddress({ method: "GET", objectKey: file.objectKey }, addressSeconds);
  return { url, source, contentType };
}

/** Whether whoever reads the drop gets the file in it. */
function mayBeDrawn(file: Blob, drop: Drop): boolean {
  return isOpenToAll(file) || (!isOpenToAll(drop) && file.ownerId === drop.ownerId);
}

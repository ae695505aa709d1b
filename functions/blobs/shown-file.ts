import { keys } from "../platform/keys.ts";
import { signEdgePath } from "../platform/signed-address.ts";
import { blobUrl, type Site } from "../platform/site.ts";
import { isSuspended } from "../platform/suspension.ts";
import { getItem } from "../platform/table.ts";
import { type Blob, isKeptApart, servedAs } from "./blob.ts";
import { servedFiles } from "./served.ts";

/** The lifetime of a signed address. A download that has begun by then goes on. */
export const fileAddressSeconds = 60;

/** The file of an address as it is now; undefined where there is none, and where its owner's account is suspended. */
export async function findShownFile(namespace: string, id: string): Promise<Blob | undefined> {
  const file = await servedFiles.find(namespace, id);
  // As much is read of what is not there.
  const account = await getItem(keys.account(file?.ownerId ?? "nobody"));
  return account === undefined || isSuspended(account) ? undefined : file;
}

/** Where a browser gets the bytes of a file that its reader may read: for a minute, where not everybody may. */
export async function fileAddress(site: Site, file: Blob): Promise<string> {
  if (!isKeptApart(file)) return blobUrl(site, file.namespace, file.id);
  const { contentDisposition } = servedAs(file.filename, file.contentType);
  const query = {
    "response-cache-control": "private, no-store",
    "response-content-disposition": contentDisposition,
  };
  return site.baseUrl + (await signEdgePath({ objectKey: file.objectKey, query }, fileAddressSeconds));
}

import { type HttpResponse, secondsUntilExpiry } from "../http/response.ts";
import { type EdgeObject, signEdgePath } from "../http/signed-address.ts";
import { blobUrl, type Site } from "../http/site.ts";
import { type Expiring, isExpired, isServed } from "../policies/access.ts";
import { keys } from "../table/keys.ts";
import {
  findByOwnershipPointer,
  type OwnershipPointer,
  toOwnershipPointer,
} from "../table/ownership-pointer.ts";
import { getItem } from "../table/table.ts";
import { type Blob, isRestricted, servedAs } from "./blob.ts";
import { toBlob } from "./store.ts";

/** Reads files by their addresses. The addresses stay valid if an operator transfers a file to another account. */
export const publicFiles = {
  /** Finds the current or last owner of a file. Returns undefined for an unknown namespace. */
  async findOwnershipPointer(namespace: string, id: string): Promise<OwnershipPointer | undefined> {
    const [pointer, owner] = await Promise.all([
      getItem(keys.filePointer(namespace, id)),
      getItem(keys.namespace(namespace)),
    ]);
    if (pointer !== undefined) return toOwnershipPointer(pointer);
    // A file that was never transferred still belongs to its original owner.
    return owner?.userId === undefined ? undefined : { ownerId: owner.userId as string, transferCount: 0 };
  },

  /** Finds the file at an address, regardless of its owner. Returns undefined for an unknown address. */
  async find(namespace: string, id: string): Promise<Blob | undefined> {
    const again = () => publicFiles.findOwnershipPointer(namespace, id);
    const at = async ({ ownerId }: OwnershipPointer) => {
      const item = await getItem(keys.blob(ownerId, id));
      // The account may also own a file with the same id from another namespace.
      return item?.namespace === namespace ? toBlob(item) : undefined;
    };
    return (await findByOwnershipPointer(await again(), { again, at }))?.found;
  },
};

/**
 * Lifetime of a signed URL in seconds: enough for a redirect, and short enough that a change of readers takes effect within 10 s. Later
 * requests, such as those of a media player that seeks, are redirected to the path that checks access.
 */
const fileAddressSeconds = 8;

/** Lifetime of a signed URL in an API response to the owner, in seconds. */
const ownFileAddressSeconds = 60;

/** An object, and the response headers for readers. */
interface ServedObject extends EdgeObject {
  readonly contentDisposition: string;
  /** @default - the content type of the object */
  readonly contentType?: string;
  /** @default - not compressed */
  readonly contentEncoding?: string | undefined;
  /** Path on the base host that checks access again and redirects to the object. */
  readonly checkedPath: string;
}

/** Signs a URL of an object for a reader. The URL works for a few seconds, and expires no later than the object's file or drop. */
export async function objectAddress(
  site: Site,
  { contentDisposition, contentType, contentEncoding, checkedPath, ...object }: ServedObject,
  owner: Expiring,
  nowMs: number,
  secondsMax: number = fileAddressSeconds,
): Promise<string> {
  const query = {
    "response-cache-control": "private, no-store",
    "response-content-disposition": contentDisposition,
    ...(contentType === undefined ? {} : { "response-content-type": contentType }),
    ...(contentEncoding === undefined ? {} : { "response-content-encoding": contentEncoding }),
    // Amazon S3 ignores this parameter. functions/edge/viewer-request.ts reads it.
    "x-from": checkedPath,
  };
  const seconds = secondsUntilExpiry(owner, nowMs, secondsMax);
  return site.baseUrl + (await signEdgePath({ ...object, query }, seconds));
}

/** Finds the file at an address. Returns undefined for an unknown address, an expired file and a suspended account. */
export async function findReadableFile(
  namespace: string,
  id: string,
  nowMs: number,
): Promise<Blob | undefined> {
  const file = await publicFiles.find(namespace, id);
  // Reads the same number of items for a missing file, so that the response time does not reveal whether the file exists.
  const account = await getItem(keys.account(file?.ownerId ?? "nobody"));
  return file && isServed(account) && !isExpired(file, nowMs) ? file : undefined;
}

/**
 * Returns the URL of a file's bytes. For a restricted file, it works for a few seconds, then redirects to the path that checks access.
 *
 * @param secondsMax maximum lifetime of a signed URL. @default - enough for a redirect
 */
export async function fileAddress(
  site: Site,
  file: Blob,
  nowMs: number,
  checkedPath: string,
  secondsMax = fileAddressSeconds,
): Promise<string> {
  if (!isRestricted(file)) return blobUrl(site, file.namespace, file.id);
  const { objectKey } = file;
  const { contentDisposition } = servedAs(file.filename, file.contentType);
  return objectAddress(site, { objectKey, contentDisposition, checkedPath }, file, nowMs, secondsMax);
}

/** Returns the response to HEAD for a restricted file, because a signed URL allows only GET. API Gateway would rename Content-Length. */
export function fileHead({ filename, contentType: sent }: Blob): HttpResponse {
  const { contentType, contentDisposition } = servedAs(filename, sent);
  const headers = {
    "accept-ranges": "bytes",
    "cache-control": "private, no-store",
    "content-disposition": contentDisposition,
    "content-type": contentType,
  };
  return { status: 200, headers, body: "" };
}

/** Returns the URL of a file's bytes for an API response to the owner. The URL of a restricted file works for a minute. */
export async function ownFileAddress(site: Site, file: Blob, nowMs: number): Promise<string> {
  return fileAddress(site, file, nowMs, filePath(file), ownFileAddressSeconds);
}

/** Returns the path of a file on the base host, for signed-in readers. */
export function filePath({ namespace, id }: Pick<Blob, "namespace" | "id">): string {
  return `/files/${namespace}/${id}`;
}

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

/** Reads files by their addresses. The addresses stay valid if an operator gives a file to another account. */
export const publicFiles = {
  /** Finds the current or last owner of a file. Returns undefined for an unknown namespace. */
  async findOwnershipPointer(namespace: string, id: string): Promise<OwnershipPointer | undefined> {
    const [pointer, owner] = await Promise.all([
      getItem(keys.filePointer(namespace, id)),
      getItem(keys.namespace(namespace)),
    ]);
    if (pointer !== undefined) return toOwnershipPointer(pointer);
    // A file that was never given to another account still has its original owner.
    return owner?.userId === undefined ? undefined : { ownerId: owner.userId as string, transferCount: 0 };
  },

  /** Finds the file of an address, regardless of its owner. Returns undefined for an unknown address. */
  async find(namespace: string, id: string): Promise<Blob | undefined> {
    const again = () => publicFiles.findOwnershipPointer(namespace, id);
    const at = async ({ ownerId }: OwnershipPointer) => {
      const item = await getItem(keys.blob(ownerId, id));
      // An account may have a file of its own with the same id as a file of another namespace.
      return item?.namespace === namespace ? toBlob(item) : undefined;
    };
    return (await findByOwnershipPointer(await again(), { again, at }))?.found;
  },
};

/**
 * Lifetime of a signed URL. It suffices for a redirect, and lets a change of readers take effect within 10 s. Running downloads continue. The
 * edge redirects later requests, such as from a media player that seeks, to the path that checks access.
 */
const fileAddressSeconds = 8;

/** Lifetime of a signed URL in an API response to the owner. */
const ownFileAddressSeconds = 60;

/** An object and the headers with which a reader gets it. */
interface ServedObject extends EdgeObject {
  readonly contentDisposition: string;
  /** @default - the content type of the object */
  readonly contentType?: string;
  /** @default - not compressed */
  readonly contentEncoding?: string | undefined;
  /** Path on the base host that checks access and redirects to the object. */
  readonly checkedPath: string;
}

/** Signs a URL of an object for a reader. The URL works for some seconds, and expires no later than the object's file or drop. */
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

/** Finds the file of an address, if it can be served. Returns undefined for an unknown address, an expired file and a suspended account. */
export async function findReadableFile(
  namespace: string,
  id: string,
  nowMs: number,
): Promise<Blob | undefined> {
  const file = await publicFiles.find(namespace, id);
  // For a missing file, the same number of items is read.
  const account = await getItem(keys.account(file?.ownerId ?? "nobody"));
  return file && isServed(account) && !isExpired(file, nowMs) ? file : undefined;
}

/**
 * URL of a file's bytes for a reader. The URL of a restricted file works for some seconds, and then redirects to the path that checks access.
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

/** Response to HEAD for a restricted file, whose signed URL allows only GET. The length is missing, because API Gateway renames that header. */
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

/** URL of a file's bytes in an API response to the owner. The URL of a restricted file works for a minute. */
export async function ownFileAddress(site: Site, file: Blob, nowMs: number): Promise<string> {
  return fileAddress(site, file, nowMs, filePath(file), ownFileAddressSeconds);
}

/** Path of a file on the base host, for readers who have signed in. */
export function filePath({ namespace, id }: Pick<Blob, "namespace" | "id">): string {
  return `/files/${namespace}/${id}`;
}

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

/** Files by their addresses, which outlast that an operator gives them to another account; nothing here writes. */
export const publicFiles = {
  /** Finds the present or last owner of a file; undefined for an unknown namespace. */
  async findOwnershipPointer(namespace: string, id: string): Promise<OwnershipPointer | undefined> {
    const [pointer, owner] = await Promise.all([
      getItem(keys.filePointer(namespace, id)),
      getItem(keys.namespace(namespace)),
    ]);
    if (pointer !== undefined) return toOwnershipPointer(pointer);
    // What never went elsewhere is where it was published.
    return owner?.userId === undefined ? undefined : { ownerId: owner.userId as string, transferCount: 0 };
  },

  /** The file of an address, whosever it is; undefined where there is none. */
  async find(namespace: string, id: string): Promise<Blob | undefined> {
    const again = () => publicFiles.findOwnershipPointer(namespace, id);
    const at = async ({ ownerId }: OwnershipPointer) => {
      const item = await getItem(keys.blob(ownerId, id));
      // An account's own file may have the id that one of another namespace has.
      return item?.namespace === namespace ? toBlob(item) : undefined;
    };
    return (await findByOwnershipPointer(await again(), { again, at }))?.found;
  },
};

/**
 * The lifetime of a signed address: a redirect needs no more, and a change of readers holds within 10 s. A download that has begun by then
 * goes on. Later requests, such as of a player that seeks, are redirected by the edge to where access is checked.
 */
const fileAddressSeconds = 8;

/** The lifetime of an address that an owner's program gets in a response. */
const ownFileAddressSeconds = 60;

/** An object as its reader gets it. */
interface ServedObject extends EdgeObject {
  readonly contentDisposition: string;
  /** @default - the object's own */
  readonly contentType?: string;
  /** @default - it is not compressed */
  readonly contentEncoding?: string | undefined;
  /** Path on the base host that checks access and leads here. */
  readonly checkedPath: string;
}

/** URL of an object's bytes for a reader. It works for seconds, and not longer than the file or the drop that the object is of. */
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
    // Amazon S3 ignores it: functions/edge/viewer-request.ts reads it.
    "x-from": checkedPath,
  };
  const seconds = secondsUntilExpiry(owner, nowMs, secondsMax);
  return site.baseUrl + (await signEdgePath({ ...object, query }, seconds));
}

/** The file of an address as it is now; undefined where there is none, where it has expired, and where its owner's account is suspended. */
export async function findReadableFile(
  namespace: string,
  id: string,
  nowMs: number,
): Promise<Blob | undefined> {
  const file = await publicFiles.find(namespace, id);
  // Reads the same items for a missing file.
  const account = await getItem(keys.account(file?.ownerId ?? "nobody"));
  return file && isServed(account) && !isExpired(file, nowMs) ? file : undefined;
}

/** URL of a file's bytes for a reader. Links to restricted files work for seconds, and then lead back to the path that checks access. */
export async function fileAddress(
  site: Site,
  file: Blob,
  nowMs: number,
  checkedPath: string,
): Promise<string> {
  return signedFileAddress(site, file, nowMs, checkedPath, fileAddressSeconds);
}

/** Response to HEAD for a restricted file: its signed address allows GET only. It has no length, because API Gateway renames that header. */
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

/** URL of a file's bytes for its owner's program. Links to restricted files work for a minute. */
export async function ownFileAddress(site: Site, file: Blob, nowMs: number): Promise<string> {
  return signedFileAddress(site, file, nowMs, filePath(file), ownFileAddressSeconds);
}

/** Path of a file on the base host, for readers who have signed in. */
export function filePath({ namespace, id }: Pick<Blob, "namespace" | "id">): string {
  return `/files/${namespace}/${id}`;
}

async function signedFileAddress(
  site: Site,
  file: Blob,
  nowMs: number,
  checkedPath: string,
  secondsMax: number,
): Promise<string> {
  if (!isRestricted(file)) return blobUrl(site, file.namespace, file.id);
  const { objectKey } = file;
  const { contentDisposition } = servedAs(file.filename, file.contentType);
  return objectAddress(site, { objectKey, contentDisposition, checkedPath }, file, nowMs, secondsMax);
}

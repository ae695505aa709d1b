import { AwsError } from "../aws-error.ts";
import { element, parent, s3Document } from "../xml.ts";
import { listedFields, parseMaxKeys } from "./list-objects.ts";
import { compareUtf8, type ObjectStore, type ObjectVersion } from "./object-store.ts";
import { compareNewestFirst, parseVersionId } from "./version-id.ts";

type Entry = ObjectVersion & { readonly key: string };

/** Returns one page of ListObjectVersions as XML. Supports prefix, key-marker, version-id-marker and max-keys. */
export async function listVersions(store: ObjectStore, query: ReadonlyMap<string, string>): Promise<string> {
  const prefix = query.get("prefix") ?? "";
  const keyMarker = query.get("key-marker") ?? "";
  const versionIdMarker = parseVersionId(query.get("version-id-marker") || undefined);
  if (versionIdMarker !== undefined && keyMarker === "") {
    const message = "A version-id marker cannot be specified without a key marker.";
    throw new AwsError("InvalidArgument", 400, message);
  }
  const maxKeys = parseMaxKeys(query.get("max-keys"));
  const found = await readEntries(store, { prefix, keyMarker, versionIdMarker }, maxKeys + 1);

  const page = found.slice(0, maxKeys);
  const last = page.at(-1);
  const isTruncated = last !== undefined && found.length > page.length;
  return s3Document(
    "ListVersionsResult",
    element("Name", store.bucket),
    element("Prefix", prefix),
    element("KeyMarker", keyMarker),
    element("VersionIdMarker", versionIdMarker ?? ""),
    ...(isTruncated
      ? [element("NextKeyMarker", last.key), element("NextVersionIdMarker", last.versionId)]
      : []),
    element("MaxKeys", maxKeys),
    element("IsTruncated", isTruncated),
    ...page.map(present),
  );
}

interface Start {
  readonly prefix: string;
  readonly keyMarker: string;
  readonly versionIdMarker: string | undefined;
}

/** Returns entries ordered by key, with the newest version of each key first. */
async function readEntries(store: ObjectStore, start: Start, countMax: number): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const key of await store.keysOfVersions(start.prefix)) {
    const order = compareUtf8(key, start.keyMarker);
    // A key marker without a version-id marker skips all versions of its key.
    if (order < 0 || (order === 0 && start.versionIdMarker === undefined)) continue;
    const versions = (await store.versionsOf(key)).map((version) => ({ ...version, key }));
    entries.push(...(order === 0 ? versionsAfter(versions, start.versionIdMarker ?? "") : versions));
    if (entries.length >= countMax) break;
  }
  return entries.slice(0, countMax);
}

/** Returns the versions after the marker, even if the marker's version was deleted meanwhile. */
function versionsAfter(versions: readonly Entry[], versionId: string): Entry[] {
  const index = versions.findIndex((version) => version.versionId === versionId);
  return index >= 0
    ? versions.slice(index + 1)
    : versions.filter((version) => compareNewestFirst(version.versionId, versionId) > 0);
}

function present({ key, versionId, isLatest, metadata }: Entry): string {
  const names = [element("Key", key), element("VersionId", versionId), element("IsLatest", isLatest)];
  if (!metadata.isDeleteMarker) return parent("Version", ...names, ...listedFields(metadata));
  const lastModified = new Date(metadata.lastModifiedMs).toISOString();
  return parent("DeleteMarker", ...names, element("LastModified", lastModified));
}

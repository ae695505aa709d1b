/** What an object is, by the bucket it lies in and its key. */
export type StoredObject =
  /** A page, or the context beside it. */
  | { readonly kind: "page"; readonly slug: string; readonly pageKey: string }
  | { readonly kind: "blob"; readonly namespace: string; readonly id: string }
  /** An upload that is not complete: no row ever points at it. */
  | { readonly kind: "staged"; readonly ownerId: string; readonly id: string }
  | { readonly kind: "unknown" };

const page = /^(?<slug>[A-Za-z0-9]{7})\/[A-Za-z0-9]{16}(?:\.html|\.context\.txt)$/;
const blob = /^(?<namespace>[a-z0-9-]{1,63})\/(?<id>[A-Za-z0-9]{7})$/;
const staged = /^staging\/(?<ownerId>[^/]+)\/(?<stagedId>[^/]+)$/;

/** Reads an object's key; the shapes are those of `toStoredPage`, `contextKey` and `blobObjectKey`. */
export function readObjectKey(bucket: "pages" | "blobs", key: string): StoredObject {
  const { ownerId, stagedId } = staged.exec(key)?.groups ?? {};
  if (ownerId !== undefined && stagedId !== undefined) return { kind: "staged", ownerId, id: stagedId };
  const { slug, namespace, id } = (bucket === "pages" ? page : blob).exec(key)?.groups ?? {};
  if (slug !== undefined) {
    return { kind: "page", slug, pageKey: key.replace(/\.context\.txt$/, ".html") };
  }
  if (namespace !== undefined && id !== undefined) return { kind: "blob", namespace, id };
  return { kind: "unknown" };
}

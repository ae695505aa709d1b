import { cacheTagHeader } from "./environment.ts";

/** A name under which the edge forgets responses. The edge compares tags without regard to case. */
export type CacheTag = "all" | `drop:${string}` | `file:${string}:${string}` | `owner:${string}`;

/** The tag of every response that the edge keeps. */
export const everythingTag: CacheTag = "all";

/** The tag of a drop: of its pages, its pictures and its state, in all versions and on all hosts. */
export function dropTag(slug: string): CacheTag {
  return `drop:${toHex(slug)}`;
}

/** The tag of a file. */
export function fileTag({ namespace, id }: { readonly namespace: string; readonly id: string }): CacheTag {
  return `file:${namespace}:${toHex(id)}`;
}

/** The tag of an owner's listing and feed, and of every drop and file with an address below the owner's. */
export function ownerTag(namespace: string): CacheTag {
  return `owner:${namespace}`;
}

/** The value of the header. */
export function cacheTagList(tags: readonly CacheTag[]): string {
  return [...tags, everythingTag].join(",");
}

/** The metadata of a file's object, which Amazon S3 sends as that header. */
export function fileMetadata(file: {
  readonly namespace: string;
  readonly id: string;
}): Record<string, string> {
  return {
    [cacheTagHeader.replace("x-amz-meta-", "")]: cacheTagList([fileTag(file), ownerTag(file.namespace)]),
  };
}

/** Slugs and ids differ by case; their bytes in hexadecimal digits do not. */
function toHex(name: string): string {
  return Buffer.from(name).toString("hex");
}

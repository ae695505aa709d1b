import { type HeaderFields, headerValue } from "../http-message.ts";

/**
 * Maximum number of tags in a response, and format of a tag; see "What you need to know when invalidating tags", CloudFront developer
 * guide.
 */
const TAGS_MAX = 50;
const TAG = /^[!-+\--~]{1,256}$/;

/** Returns true for a valid tag, which consists of visible ASCII characters other than commas. */
export function isCacheTag(text: string): boolean {
  return TAG.test(text);
}

/** Normalizes a tag for comparison, because tags are case-insensitive. */
export function normalizedTag(tag: string): string {
  return tag.toLowerCase();
}

/** Returns the first 50 tags of a response. CloudFront ignores further tags; see "Invalidating content by cache tags". */
export function cacheTagsOf(headers: HeaderFields, headerName: string | undefined): ReadonlySet<string> {
  if (headerName === undefined) return new Set();
  const tags = (headerValue(headers, headerName) ?? "").split(",").map((tag) => tag.trim());
  return new Set(tags.filter(isCacheTag).slice(0, TAGS_MAX).map(normalizedTag));
}

/** Returns true if two sets have a tag in common. */
export function hasAny(tags: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...tags].some((tag) => others.has(tag));
}

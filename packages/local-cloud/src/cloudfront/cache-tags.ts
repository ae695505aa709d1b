import { type HeaderFields, headerValue } from "../http-message.ts";

/** CloudFront developer guide, "What you need to know when invalidating tags". */
const TAGS_MAX = 50;
const TAG = /^[!-+\--~]{1,256}$/;

/** Recognizes a valid tag: visible ASCII characters without commas. */
export function isCacheTag(text: string): boolean {
  return TAG.test(text);
}

/** Normalizes a tag for comparison: "Tag values are case-insensitive". */
export function normalizedTag(tag: string): string {
  return tag.toLowerCase();
}

/** The first 50 tags of a response, which are the ones that count; "Invalidating content by cache tags". */
export function cacheTagsOf(headers: HeaderFields, headerName: string | undefined): ReadonlySet<string> {
  if (headerName === undefined) return new Set();
  const tags = (headerValue(headers, headerName) ?? "").split(",").map((tag) => tag.trim());
  return new Set(tags.filter(isCacheTag).slice(0, TAGS_MAX).map(normalizedTag));
}

/** Checks if two sets have a tag in common. */
export function hasAny(tags: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...tags].some((tag) => others.has(tag));
}

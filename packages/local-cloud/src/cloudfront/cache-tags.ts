import { type HeaderFields, headerValue } from "../http-message.ts";

/** CloudFront developer guide, "What you need to know when invalidating tags". */
const TAGS_MAX = 50;
const TAG = /^[!-+\--~]{1,256}$/;

/** Tells whether a text may be a tag: visible ASCII characters without commas. */
export function isCacheTag(text: string): boolean {
  return TAG.test(text);
}

/** A tag as it is compared: "Tag values are case-insensitive". */
export function normalizedTag(tag: string): string {
  return tag.toLowerCase();
}

/** The tags of a response, of which the first 50 count; "Invalidating content by cache tags". */
export function cacheTagsOf(headers: HeaderFields, headerName: string | undefined): ReadonlySet<string> {
  if (headerName === undefined) return new Set();
  const tags = (headerValue(headers, headerName) ?? "").split(",").map((tag) => tag.trim());
  return new Set(tags.filter(isCacheTag).slice(0, TAGS_MAX).map(normalizedTag));
}

/** Tells whether one of these tags is among others. */
export function hasAny(tags: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...tags].some((tag) => others.has(tag));
}

import { type HeaderFields, headerValue } from "../http-message.ts";

/** Maximum number of tags in a response, and format of a tag; see "What you need to know when invalidating tags". */
const TAGS_MAX = 50;
const TAG = /^[!-+\--~]{1,256}$/;

/** Returns true for a valid tag, which consists of visible ASCII characters other than commas. */
export function isCacheTag(text: string): boolean {
  return TAG.test(text);
}

/** Returns the first 50 tags of a response, in lower case, because tags are case-insensitive; see "Invalidating content by cache tags". */
export function cacheTagsOf(headers: HeaderFields, headerName: string | undefined): ReadonlySet<string> {
  if (headerName === undefined) return new Set();
  const tags = (headerValue(headers, headerName) ?? "").split(",").map((tag) => tag.trim());
  return new Set(
    tags
      .filter(isCacheTag)
      .slice(0, TAGS_MAX)
      .map((tag) => tag.toLowerCase()),
  );
}

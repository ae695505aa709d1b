import type { ReceivedResponse } from "./http.ts";
import { withoutNonces } from "./nonces.ts";

const ids = /^(date|age|x-request-id|x-cache|x-amz.*|set-cookie)$/;

/** Strips the slug, ids and nonces from a response, so that missing and unshared drops can be compared. */
export function comparable({ status, headers, text }: ReceivedResponse, slug: string) {
  const kept = Object.entries(headers).filter(([name]) => !ids.test(name));
  const plain = (words: string) => withoutNonces(words.replaceAll(slug, "slug"));
  return { status, headers: kept.map(([name, value]) => [name, plain(String(value))]), text: plain(text) };
}

import type { ReceivedResponse } from "./http.ts";
import { withoutNonces } from "./nonces.ts";

const ids = /^(date|age|x-request-id|x-cache|x-amz.*|set-cookie)$/;

/** All that a response says of a slug, without the slug, ids and nonces: the same for a missing drop and one that is not shared. */
export function comparable({ status, headers, text }: ReceivedResponse, slug: string) {
  const kept = Object.entries(headers).filter(([name]) => !ids.test(name));
  const plain = (words: string) => withoutNonces(words.replaceAll(slug, "slug"));
  return { status, headers: kept.map(([name, value]) => [name, plain(String(value))]), text: plain(text) };
}

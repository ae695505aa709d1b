import { limits } from "../core/limits.ts";
import { type Key, keys } from "../table/keys.ts";
import type { Item } from "../table/table.ts";
import type { AccessRequest } from "./access-request.ts";

const secondsPerDay = 24 * 60 * 60;

/** Checks that an item has not expired. DynamoDB may remove expired items a few days late. */
export function isOpen({ ttl }: Item, nowMs: number): boolean {
  return Number(ttl) * 1000 > nowMs;
}

/** Converts a request to a table item. Adds the id of the owner who receives the request, and a hash of the person's id. */
export function toAccessRequestItem(
  { slug, id, ...attributes }: AccessRequest,
  ownerId: string,
  personHash: string,
): Item {
  const ttl = Math.ceil(attributes.requestedAtMs / 1000) + limits.accessRequestDays * secondsPerDay;
  return { ...keys.accessRequest(slug, id), ...attributes, ownerId, personHash, ttl };
}

/** Converts a table item to a request. */
export function toAccessRequest(item: Item): AccessRequest {
  return {
    slug: (item.pk as string).slice("SLUG#".length),
    id: (item.sk as string).slice("ACCESS#".length),
    name: item.name as string,
    reader: item.reader as string,
    text: item.text as string | undefined,
    requestedAtMs: item.requestedAtMs as number,
  };
}

/** Returns the key of a request's entry in the owner's list of requests. */
export function entryKeyOf(item: Item): Key {
  const { slug, id, requestedAtMs: atMs } = toAccessRequest(item);
  return keys.accessEntry(item.ownerId as string, { atMs, slug, id });
}

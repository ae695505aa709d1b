import { limits } from "../core/limits.ts";
import { type Key, keys } from "../table/keys.ts";
import type { Item } from "../table/table.ts";
import type { AccessRequest } from "./access-request.ts";

const secondsPerDay = 24 * 60 * 60;

/** Time at which DynamoDB removes a request for access, in Unix seconds. */
export function accessRequestEnd(requestedAtMs: number): number {
  return Math.ceil(requestedAtMs / 1000) + limits.accessRequestDays * secondsPerDay;
}

/** Recognizes an item before its time to live ends. DynamoDB removes it up to some days later. */
export function isOpen({ ttl }: Item, nowMs: number): boolean {
  return Number(ttl) * 1000 > nowMs;
}

/** The item of a request, with the owner whose list has it, and a hash of its person. */
export function toAccessRequestItem(
  { slug, id, ...attributes }: AccessRequest,
  ownerId: string,
  personHash: string,
): Item {
  const ttl = accessRequestEnd(attributes.requestedAtMs);
  return { ...keys.accessRequest(slug, id), ...attributes, ownerId, personHash, ttl };
}

/** The request of an item. */
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

/** Key of the entry in its owner's list that leads to a request's item. */
export function entryKeyOf(item: Item): Key {
  const { slug, id, requestedAtMs: atMs } = toAccessRequest(item);
  return keys.accessEntry(item.ownerId as string, { atMs, slug, id });
}

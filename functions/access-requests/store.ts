import { limits } from "../core/limits.ts";
import type { Drop } from "../drops/drop.ts";
import { toDrop } from "../drops/items.ts";
import { publicDrops } from "../drops/public-drops.ts";
import { type OwnedDrop, ownerCondition } from "../drops/reader-writes.ts";
import { canChange, isAccessWanted } from "../policies/access.ts";
import type { Act } from "../table/audit.ts";
import { auditWrite } from "../table/audit-trail.ts";
import { type AccessPosition, type Key, keys, parseAccessEntry, ranges } from "../table/keys.ts";
import { isDropNotHeld, isHeld, refuseHeld } from "../table/legal-hold.ts";
import { fairShare } from "../table/rate-rules.ts";
import {
  findItems,
  getItem,
  type Item,
  queryAll,
  queryKeys,
  RetryableError,
  retryConflicts,
} from "../table/table.ts";
import {
  deleteItemIf,
  deleteItems,
  isUnchanged,
  type TransactionWrite,
  transact,
} from "../table/table-writes.ts";
import type { AccessRequest } from "./access-request.ts";
import { entryKeyOf, isOpen, toAccessRequest, toAccessRequestItem } from "./items.ts";

/** A request for access, with its drop. */
interface ListedRequest {
  readonly request: AccessRequest;
  readonly drop: Drop;
}

/** A drop, with the number of open access requests. */
export interface WaitingRequests {
  readonly slug: string;
  readonly title: string;
  readonly count: number;
}

/** A new access request, as the person sent it. */
export interface SentRequest extends Omit<AccessRequest, "slug"> {
  /** Hash of the person's id. Used to limit one person's share of an owner's list. */
  readonly personHash: string;
}

/** Time to live, in seconds, of the placeholder items that are written for a request that is not stored. */
const unreceivedSeconds = 60;

/** Owner id used for a missing drop. No account has this id. */
const nobody = "nobody";

/** Maximum number of requests that are read to count an owner's requests by drop. */
const countedMax = 100;

/** Store for access requests. */
export const accessRequests = {
  /**
   * Stores a request, which replaces the person's earlier request for the drop. Under legal hold, the earlier request is kept but no longer
   * listed. Requests beyond the limits of `hasRoom` are not stored. Makes the same number of reads and writes for a missing drop, so that
   * the response time does not reveal whether a drop exists.
   */
  async send(slug: string, ownerId: string | undefined, sent: SentRequest, act: Act): Promise<void> {
    await retryConflicts(async () => {
      const owner = ownerId ?? nobody;
      // Reads the revision before the counts, so that the write fails if another request is stored in between.
      const find = await findItems([
        keys.accessRequest(slug, sent.id),
        keys.accessList(owner),
        keys.account(owner),
      ]);
      const [ofDrop, entries] = await Promise.all([
        queryAll(ranges.accessRequests(slug), { attributes: ["sk", "ttl"] }),
        queryAll(ranges.accessEntries(owner), { attributes: ["sk", "ttl", "personHash"] }),
      ]);
      const earlier = find(keys.accessRequest(slug, sent.id));
      const list = find(keys.accessList(owner));
      const hold = isHeld(find(keys.account(owner)), slug) ? "held" : "free";
      const isReceived = ownerId !== undefined && (earlier !== undefined || hasRoom(ofDrop, entries, sent));
      const outcome = await transact(
        isReceived
          ? sendingWrites({ slug, ownerId }, sent, { earlier, list, hold }, act)
          : unreceivedWrites(sent),
      );
      // Stores no request if the drop was deleted in the meantime.
      if (!outcome.committed && !outcome.failed.has("owner")) throw tooManyWriters();
    });
  },

  /** Lists the open access requests for a drop, newest first, with one query of at most 100 items. */
  async listOf(drop: Drop, nowMs: number): Promise<AccessRequest[]> {
    const items = await queryAll(ranges.accessRequests(drop.slug));
    return items
      .filter((item) => isOpen(item, nowMs))
      .map(toAccessRequest)
      .filter((request) => isAccessWanted(drop, request.reader))
      .sort((one, other) => other.requestedAtMs - one.requestedAtMs);
  },

  /** Lists the open access requests for an account's drops, newest first. `next` is the cursor of the next page, if there is one. */
  async list(
    ownerId: string,
    asked: { readonly cursor?: string | undefined; readonly limit: number; readonly nowMs: number },
  ): Promise<{ readonly requests: readonly ListedRequest[]; readonly next: string | undefined }> {
    const { cursor, limit, nowMs } = asked;
    const range = ranges.accessEntries(ownerId);
    const after =
      cursor === undefined ? undefined : { pk: range.pk, sk: range.prefix + cursor.replaceAll(".", "#") };
    const entries = await queryAll(range, { descending: true, limit: limit + 1, after });
    const positions = entries.slice(0, limit).flatMap(({ sk }) => parseAccessEntry(sk as string) ?? []);
    const find = await findItems(
      positions.flatMap(({ slug, id }) => [keys.accessRequest(slug, id), keys.drop(ownerId, slug)]),
    );
    const requests = positions.flatMap((position) => toListed(ownerId, position, find, nowMs) ?? []);
    const last = entries.length > limit ? positions.at(-1) : undefined;
    return {
      requests,
      next: last && keys.accessEntry("", last).sk.slice(range.prefix.length).replaceAll("#", "."),
    };
  },

  /** Counts the open requests for each of an account's drops. The drop with the latest request comes first. */
  async countByDrop(ownerId: string, nowMs: number): Promise<readonly WaitingRequests[]> {
    const { requests } = await accessRequests.list(ownerId, { limit: countedMax, nowMs });
    return [...Map.groupBy(requests, ({ drop }) => drop.slug)].map(([slug, some]) => ({
      slug,
      title: some[0]?.drop.title ?? slug,
      count: some.length,
    }));
  },

  /**
   * Finds a request by its id, and builds the writes that remove it as part of a larger transaction. Returns undefined if the request does
   * not exist. Returns no writes under legal hold. Lists omit the request anyway, once its person is a reader.
   */
  async findForRemoval(
    { slug, ownerId }: OwnedDrop,
    id: string,
    nowMs: number,
  ): Promise<{ readonly request: AccessRequest; readonly removal: readonly TransactionWrite[] } | undefined> {
    const find = await findItems([keys.accessRequest(slug, id), keys.account(ownerId)]);
    const item = find(keys.accessRequest(slug, id));
    if (item === undefined || !isOpen(item, nowMs)) return undefined;
    const { account, request, entry } = removalWrites({ slug, ownerId }, item);
    const isKept = isHeld(find(keys.account(ownerId)), slug);
    return { request: toAccessRequest(item), removal: isKept ? [] : [account, request, entry] };
  },

  /** Deletes a request. Returns false if it does not exist. @throws ApiError `forbidden` if the drop is on legal hold */
  async remove(drop: OwnedDrop, id: string, act: Act): Promise<boolean> {
    const { slug, ownerId } = drop;
    return retryConflicts(async () => {
      const item = await getItem(keys.accessRequest(slug, id));
      if (item === undefined) return false;
      const outcome = await transact({
        owner: ownerCondition(drop),
        ...removalWrites(drop, item),
        line: auditWrite(act, { ownerId, slug, access: id }),
      });
      if (outcome.committed) return true;
      refuseHeld(outcome.failed.get("account"), slug);
      if (outcome.failed.has("owner")) return false;
      throw tooManyWriters();
    });
  },

  /** Removes all requests for a permanently deleted drop. */
  async removeOf(slug: string): Promise<void> {
    const items = await queryAll(ranges.accessRequests(slug));
    const replaced = await queryKeys(ranges.replacedAccessRequests(slug));
    // Deletes list entries before requests, because a retry after a failure finds the entries through the requests.
    for (const item of items) await deleteItemIf(entryKeyOf(item), { condition: "attribute_exists(pk)" });
    await deleteItems([...replaced, ...items.map(({ pk, sk }) => ({ pk, sk }) as Key)]);
  },

  /** Moves the requests for a transferred drop to the current owner's list. */
  async follow(slug: string): Promise<void> {
    const newOwnerId = (await publicDrops.findPointer(slug))?.ownerId;
    if (newOwnerId === undefined) return;
    for (const item of await queryAll(ranges.accessRequests(slug))) {
      if (item.ownerId === newOwnerId) continue;
      const moved = { ...item, ownerId: newOwnerId };
      await transact([
        { remove: entryKeyOf(item) },
        { put: toEntry(moved) },
        { put: moved, condition: "requestedAtMs = :seen", values: { ":seen": item.requestedAtMs } },
      ]);
    }
  },
};

/**
 * Checks the limits on requests for a drop, on requests to an owner, and on one person's share of an owner's list. One person may use a
 * quarter of the slots that other people's requests leave free.
 */
function hasRoom(
  ofDrop: readonly Item[],
  entries: readonly Item[],
  { personHash, requestedAtMs }: SentRequest,
) {
  const open = entries.filter((item) => isOpen(item, requestedAtMs));
  const own = open.filter((entry) => entry.personHash === personHash).length;
  const left = limits.accessRequestsPerOwnerMax - (open.length - own);
  const openOfDrop = ofDrop.filter((item) => isOpen(item, requestedAtMs)).length;
  return openOfDrop < limits.accessRequestsPerDropMax && left > 0 && own < fairShare(left);
}

/** Builds the writes that store a request. The writes fail if the revision of the owner's list has changed since it was read. */
function sendingWrites(
  drop: OwnedDrop,
  { personHash, ...sent }: SentRequest,
  seen: {
    readonly earlier: Item | undefined;
    readonly list: Item | undefined;
    readonly hold: "held" | "free";
  },
  act: Act,
) {
  const { slug, ownerId } = drop;
  const { earlier, list, hold } = seen;
  const item = toAccessRequestItem({ slug, ...sent }, ownerId, personHash);
  const entry = entryKeyOf(item);
  const former = earlier && entryKeyOf(earlier);
  return {
    owner: ownerCondition(drop),
    request: {
      put: item,
      condition: earlier === undefined ? "attribute_not_exists(pk)" : "requestedAtMs = :seen",
      ...(earlier === undefined ? {} : { values: { ":seen": earlier.requestedAtMs } }),
    },
    entry: { put: toEntry(item) },
    account:
      earlier === undefined || hold === "held"
        ? undefined
        : { check: keys.account(ownerId), condition: isDropNotHeld, values: { ":slug": slug } },
    replaced:
      earlier === undefined || hold === "free"
        ? undefined
        : {
            put: {
              ...earlier,
              ...keys.replacedAccessRequest(slug, sent.id, earlier.requestedAtMs as number),
            },
          },
    former: former === undefined || former.sk === entry.sk ? undefined : { remove: former },
    list: {
      key: keys.accessList(ownerId),
      update: "ADD #revision :one",
      condition: isUnchanged("#revision", list?.revision),
      names: { "#revision": "revision" },
      values: { ":one": 1, ...(list === undefined ? {} : { ":seen": list.revision }) },
    },
    line: auditWrite(act, { ownerId, slug, access: sent.id }),
  };
}

/** Builds the writes that remove a request. The writes fail if the request has changed or its drop is on legal hold. */
function removalWrites({ slug, ownerId }: OwnedDrop, item: Item) {
  return {
    account: { check: keys.account(ownerId), condition: isDropNotHeld, values: { ":slug": slug } },
    request: {
      remove: keys.accessRequest(slug, toAccessRequest(item).id),
      condition: "requestedAtMs = :seen AND ownerId = :owner",
      values: { ":seen": item.requestedAtMs, ":owner": item.ownerId },
    },
    entry: { remove: entryKeyOf(item) },
  } as const;
}

/** Builds a request's entry in the owner's list of requests. */
function toEntry(item: Item): Item {
  return { ...entryKeyOf(item), personHash: item.personHash, ttl: item.ttl };
}

/** Builds placeholder writes for a request that is not stored, as many as for a person's first request. */
function unreceivedWrites({ personHash, requestedAtMs }: SentRequest) {
  const write = (part: number): TransactionWrite => ({
    put: {
      ...keys.rateWindow("unreceivedAccessRequest", `${personHash}#${part}`),
      ttl: Math.ceil(requestedAtMs / 1000) + unreceivedSeconds,
    },
  });
  return {
    owner: {
      check: keys.rateWindow("unreceivedAccessRequest", "none"),
      condition: "attribute_not_exists(pk)",
    },
    writes: [1, 2, 3, 4].map(write),
  };
}

function toListed(
  ownerId: string,
  { atMs, slug, id }: AccessPosition,
  find: (key: Key) => Item | undefined,
  nowMs: number,
): ListedRequest | undefined {
  const [item, row] = [find(keys.accessRequest(slug, id)), find(keys.drop(ownerId, slug))];
  if (item === undefined || row === undefined || item.requestedAtMs !== atMs || !isOpen(item, nowMs))
    return undefined;
  const [request, drop] = [toAccessRequest(item), toDrop(row, undefined)];
  return canChange(drop, ownerId, nowMs) && isAccessWanted(drop, request.reader)
    ? { request, drop }
    : undefined;
}

/** Error for a write conflict, after which `retryConflicts` tries again. */
function tooManyWriters(): RetryableError {
  return new RetryableError("Others are asking for access at the same time. Try again.");
}

import { limits } from "../contract/limits.ts";
import type { ChangedDrop, Drop, Version } from "../domain/drop.ts";
import { metadataText, toDropItem, toVersionItem } from "./drop-items.ts";
import { keys } from "./keys.ts";
import { hasPageRoom, roomValues } from "./page-room.ts";
import { isNotSuspended } from "./suspension.ts";
import type { TransactionWrite } from "./transaction.ts";

/**
 * How often a drop of the account has come to match filters that it did not match before: by being published, or by
 * other metadata. The account's item counts it as `dropSetRevision`, which older accounts do not have yet.
 */
export type DropSetRevision = number | undefined;

/** A new drop with its first version: the slug's pointer, the drop, the version, the account's counters. */
export function insertionWrites(drop: Drop, version: Version, seen?: { readonly set: DropSetRevision }) {
  const { ownerId, namespace, slug } = drop;
  const isFree = "attribute_not_exists(pk)";
  const writes: TransactionWrite[] = [
    { put: { ...keys.pointer(slug), ownerId, namespace }, condition: isFree },
    { put: toDropItem(drop), condition: isFree },
    { put: toVersionItem(version) },
    {
      key: keys.account(ownerId),
      update: "ADD dropCount :one, pageBytes :bytes, countsRevision :one, dropSetRevision :one",
      condition: `dropCount < :max AND ${hasPageRoom} AND attribute_not_exists(deletingAtMs) AND ${isNotSuspended}${seen ? ` AND ${isUnchanged(seen.set)}` : ""}`,
      values: {
        ":one": 1,
        ":bytes": version.sizeBytes,
        ":max": limits.dropsPerAccountMax,
        ":seen": seen?.set,
        ...roomValues(version.sizeBytes),
      },
    },
  ];
  return writes;
}

/** What `insertionWrites` has the account's counters at. */
export const accountWriteIndex = 3;

/** A change of a drop as it was found, and what the change has made beside it. Any write in between makes it fail. */
export function changeWrites(before: Drop, { drop: after, version }: ChangedDrop): TransactionWrite[] {
  const isTagged = metadataText(before.metadata) !== metadataText(after.metadata);
  const tagged = isTagged ? ", dropSetRevision :one" : "";
  return [
    dropWrite(before, after),
    ...(version
      ? [
          {
            key: keys.account(after.ownerId),
            update: `ADD pageBytes :bytes, countsRevision :one${tagged}`,
            condition: `attribute_exists(pk) AND ${hasPageRoom} AND ${isNotSuspended}`,
            values: { ":one": 1, ":bytes": version.sizeBytes, ...roomValues(version.sizeBytes) },
          },
          { put: toVersionItem(version) },
        ]
      : []),
    ...(isTagged && !version
      ? [
          {
            key: keys.account(after.ownerId),
            update: "ADD dropSetRevision :one",
            condition: "attribute_exists(pk)",
            values: { ":one": 1 },
          },
        ]
      : []),
  ];
}

/** What `changeWrites` has the account's counters at. */
export const changedAccountIndex = 1;

/** A drop that is deleted with the revision that was seen, counted off with the bytes of its pages at that revision. */
export function removalWrites(
  ownerId: string,
  slug: string,
  seen: { readonly revision: number; readonly pageBytes: number },
): TransactionWrite[] {
  return [
    {
      remove: keys.drop(ownerId, slug),
      condition: "revision = :seen",
      values: { ":seen": seen.revision },
    },
    { remove: keys.views(ownerId, slug) },
    {
      key: keys.account(ownerId),
      update: "ADD dropCount :minusOne, pageBytes :minusBytes, countsRevision :one",
      condition: "attribute_exists(pk)",
      values: { ":minusOne": -1, ":minusBytes": -seen.pageBytes, ":one": 1 },
    },
  ];
}

function isUnchanged(seen: DropSetRevision): string {
  return seen === undefined ? "attribute_not_exists(dropSetRevision)" : "dropSetRevision = :seen";
}

/** Every attribute that the drop has: nobody has written another since it was found, as its revision says. */
function dropWrite(before: Drop, after: Drop): TransactionWrite {
  const { pk: _pk, sk: _sk, ...attributes } = toDropItem(after);
  const names = Object.keys(attributes);
  const opened = after.gate.kind === "open" ? " REMOVE passcodeHash" : "";
  return {
    key: keys.drop(after.ownerId, after.slug),
    update: `SET ${names.map((name) => `#${name} = :${name}`).join(", ")}${opened}`,
    condition: "#revision = :seen",
    names: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    values: {
      ...Object.fromEntries(names.map((name) => [`:${name}`, attributes[name]])),
      ":seen": before.revision,
    },
  };
}

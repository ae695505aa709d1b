import { paginateListObjectsV2 } from "@aws-sdk/client-s3";
import { s3 } from "../../../functions/drops/page-objects.ts";
import { findKeptDrop } from "../../../functions/drops/trash-store.ts";
import { isFeedbackKey, keys, parseKey } from "../../../functions/table/keys.ts";
import { isReferenced, readObjectKey, type StoredObject } from "../../../functions/table-stream/orphans.ts";
import type { Service } from "../service.ts";
import { readTable } from "../table-reads.ts";

/** Object or row without a reference. */
export type Leftover =
  | { readonly kind: "versions"; readonly slug: string }
  | { readonly kind: "object"; readonly bucket: string; readonly key: string; readonly object: StoredObject }
  /** Objects with unknown keys are left alone. */
  | { readonly kind: "unknown"; readonly bucket: string; readonly key: string };

/** Slugs of drops that are gone, with versions, renders or feedback. These are written with their drop, in one transaction, and never before it. */
export async function* findVersionLeftovers(): AsyncGenerator<Leftover> {
  const slugs = new Set<string>();
  for await (const items of readTable()) {
    for (const item of items) {
      const subject = parseKey(item);
      if (isFeedbackKey(item)) slugs.add(item.pk.slice(keys.pointer("").pk.length));
      if (subject?.kind === "version" || subject?.kind === "render") slugs.add(subject.slug);
    }
  }
  for (const slug of slugs) {
    if ((await findKeptDrop(slug)) === undefined) yield { kind: "versions", slug };
  }
}

/** Objects without a row that were stored before a moment. */
export async function* findObjectLeftovers(service: Service, beforeMs: number): AsyncGenerator<Leftover> {
  for (const [kind, bucket] of [
    ["pages", service.pagesBucket],
    ["blobs", service.blobsBucket],
  ] as const) {
    for await (const { Contents = [] } of paginateListObjectsV2({ client: s3 }, { Bucket: bucket })) {
      for (const { Key: key = "", LastModified } of Contents) {
        if (LastModified === undefined || LastModified.getTime() >= beforeMs) continue;
        const object = readObjectKey(kind, key);
        if (object.kind === "unknown") yield { kind: "unknown", bucket, key };
        else if (!(await isReferenced(object, key))) yield { kind: "object", bucket, key, object };
      }
    }
  }
}

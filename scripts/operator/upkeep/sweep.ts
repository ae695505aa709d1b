import { paginateListObjectsV2 } from "@aws-sdk/client-s3";
import { purgeObject } from "../../../functions/administration/stored-objects.ts";
import { purgeVersions } from "../../../functions/administration/takedown.ts";
import { s3 } from "../../../functions/drops/page-objects.ts";
import { findKeptDrop } from "../../../functions/drops/trash-store.ts";
import type { Act, ActSubject } from "../../../functions/table/audit.ts";
import { appendToAudit } from "../../../functions/table/audit-trail.ts";
import { isReaderRecordKey, isRenderSubject, keys, parseKey } from "../../../functions/table/keys.ts";
import { isReferenced, readObjectKey, type StoredObject } from "../../../functions/table-stream/orphans.ts";
import { defineServiceCommand, type Service } from "../service.ts";
import { readTable } from "../table-reads.ts";

/** Age after which an object's orphan check and its retries have ended. */
const objectAgeMsMin = 24 * 60 * 60 * 1000;

export const sweepCommand = defineServiceCommand({
  usage: "sweep",
  summary: "finds versions and objects that no table item refers to",
  details: `
The service itself deletes such versions and objects, at once after deletions and within a quarter of an hour after failures. This command
finds those that remain: versions of deleted drops, and objects older than a day. Reads the whole table and lists both buckets. Objects of
an unknown kind are kept.`,
  options: { fix: "permanently deletes the versions and objects" },
  async run({ options: { fix }, service, action, print }) {
    const objectsBeforeMs = Date.now() - objectAgeMsMin;
    const left = await sweep(service, { act: await action("sweep"), objectsBeforeMs, fix, report: print });
    print(`Left over: ${left}.`);
    return left === 0;
  },
});

/**
 * Reports leftovers. With `fix`, removes them. Returns the number of remaining leftovers. Ignores recent objects, because their table items
 * may not be written yet.
 */
export async function sweep(
  service: Service,
  options: { objectsBeforeMs: number; fix: boolean; act: Act; report: (line: string) => void },
): Promise<number> {
  const { objectsBeforeMs, fix, act, report } = options;
  let left = 0;
  for await (const { problem, subject, remove } of findLeftovers(service, objectsBeforeMs)) {
    if (fix && remove) {
      await appendToAudit(act, subject);
      await remove();
    }
    if (!fix && remove) left += 1;
    report(`${problem}${fix && remove ? ": removed" : ""}.`);
  }
  return left;
}

/** Finds objects and table items that nothing refers to. An object of an unknown kind has no `remove`, because it is kept. */
async function* findLeftovers(
  service: Service,
  objectsBeforeMs: number,
): AsyncGenerator<{ problem: string; subject: ActSubject; remove?: () => Promise<void> }> {
  for await (const slug of findVersionLeftovers()) {
    const remove = () => purgeVersions(service.pagesBucket, slug);
    yield { problem: `The drop ${slug} is deleted, but has versions`, subject: { slug }, remove };
  }
  for (const kind of ["pages", "blobs"] as const) {
    const Bucket = service[`${kind}Bucket`];
    for await (const { Contents = [] } of paginateListObjectsV2({ client: s3 }, { Bucket }))
      for (const { Key: key = "", LastModified } of Contents) {
        if (LastModified === undefined || LastModified.getTime() >= objectsBeforeMs) continue;
        const object = readObjectKey(kind, key);
        const place = `${Bucket}/${key}`;
        if (object.kind === "unknown")
          yield { problem: `Not an object of the service: ${JSON.stringify(place)}`, subject: {} };
        else if (!(await isReferenced(object, key))) {
          const remove = () => purgeObject(Bucket, key);
          yield { problem: `No table item refers to ${place}`, subject: subjectOf(object), remove };
        }
      }
  }
}

/** Finds slugs of deleted drops that still have versions, renders or readers' records. Skips new drops, which are written before their parts. */
export async function* findVersionLeftovers(): AsyncGenerator<string> {
  const slugs = new Set<string>();
  for await (const items of readTable())
    for (const item of items) {
      const subject = parseKey(item);
      if (isReaderRecordKey(item)) slugs.add(item.pk.slice(keys.pointer("").pk.length));
      if (subject?.kind === "version" || isRenderSubject(subject)) slugs.add(subject.slug);
    }
  for (const slug of slugs) if ((await findKeptDrop(slug)) === undefined) yield slug;
}

function subjectOf(object: StoredObject): ActSubject {
  if ("slug" in object) return { slug: object.slug };
  if (object.kind === "blob") return { blobId: object.id };
  return object.kind === "staged" ? { ownerId: object.ownerId, blobId: object.id } : {};
}

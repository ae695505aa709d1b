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

/** Age by which the orphan check of an object and its retries are over. */
const objectAgeMsMin = 24 * 60 * 60 * 1000;

export const sweepCommand = defineServiceCommand({
  usage: "sweep",
  summary: "finds versions and objects that no row refers to",
  details: `
The service deletes them itself: after deletions at once, after failures within a quarter of an hour. This finds what remains: versions of
deleted drops, and objects older than a day without a row. Reads the whole table and lists both buckets. Objects of an unknown kind stay.`,
  options: { fix: "deletes what it finds, for good" },
  async run({ options: { fix }, service, act, print }) {
    const objectsBeforeMs = Date.now() - objectAgeMsMin;
    const left = await sweep(service, { act: await act("sweep"), objectsBeforeMs, fix, report: print });
    print(`Left over: ${left}.`);
    return left === 0;
  },
});

/** Reports leftovers, removes them with `fix`, and returns how many are left. Younger objects may still get their rows. */
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

/** Object or row without a reference. */
interface Leftover {
  readonly problem: string;
  readonly subject: ActSubject;
  /** @default - an object of an unknown kind is left alone */
  readonly remove?: () => Promise<void>;
}

async function* findLeftovers(service: Service, objectsBeforeMs: number): AsyncGenerator<Leftover> {
  for await (const slug of findVersionLeftovers()) {
    const remove = () => purgeVersions(service.pagesBucket, slug);
    yield { problem: `The drop ${slug} is gone, and has versions`, subject: { slug }, remove };
  }
  for (const kind of ["pages", "blobs"] as const) {
    const Bucket = service[`${kind}Bucket`];
    for await (const { Contents = [] } of paginateListObjectsV2({ client: s3 }, { Bucket }))
      for (const { Key: key = "", LastModified } of Contents) {
        if (LastModified === undefined || LastModified.getTime() >= objectsBeforeMs) continue;
        const object = readObjectKey(kind, key);
        const place = `${Bucket}/${key}`;
        if (object.kind === "unknown")
          yield { problem: `Not the service's: ${JSON.stringify(place)}`, subject: {} };
        else if (!(await isReferenced(object, key))) {
          const remove = () => purgeObject(Bucket, key);
          yield { problem: `No row points at ${place}`, subject: subjectOf(object), remove };
        }
      }
  }
}

/** Slugs of drops that are gone, with versions, renders, feedback or answers. Those are written with or after their drop, never before it. */
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

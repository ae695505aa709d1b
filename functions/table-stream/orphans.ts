import type { S3Event, SQSRecord } from "aws-lambda";
import { removeObjects } from "../background/remove-objects.ts";
import type { Job } from "../background/worker.ts";
import { publicFiles } from "../blobs/public-files.ts";
import { environmentNames, readEnvironment } from "../core/environment.ts";
import { writeLog } from "../core/log.ts";
import { s3 } from "../drops/page-objects.ts";
import type { VersionFolder } from "../folders/folder.ts";
import { renderObjectKeys } from "../renders/render.ts";
import { toRender } from "../renders/store.ts";
import { isOfIndex } from "../search/index-files.ts";
import { indexSoon } from "../search/index-soon.ts";
import { searchPrefix } from "../search/search-document.ts";
import { ranges } from "../table/keys.ts";
import { queryAll } from "../table/table.ts";

/** Returns true if a row refers to the object. The read is strongly consistent. */
export async function isReferenced(
  object: Exclude<StoredObject, { readonly kind: "unknown" }>,
  objectKey: string,
): Promise<boolean> {
  switch (object.kind) {
    case "page": {
      const versions = await queryAll(ranges.versions(object.slug));
      return versions.some((version) => version.pageKey === object.pageKey);
    }
    case "pack": {
      const versions = await queryAll(ranges.versions(object.slug), { attributes: ["folder"] });
      return versions.some(({ folder }) =>
        (folder as VersionFolder | undefined)?.packKeys.includes(objectKey),
      );
    }
    case "render": {
      const renders = (await queryAll(ranges.renders(object.slug))).map(toRender);
      return renders.some((render) => renderObjectKeys(render).includes(objectKey));
    }
    case "blob": {
      const blob = await publicFiles.find(object.namespace, object.id);
      return blob?.objectKey === objectKey;
    }
    case "search":
      return isOfIndex(objectKey);
    case "staged":
      return false;
  }
}

/** Kind of an object, by its bucket and key. */
export type StoredObject =
  /** A page, its context, Markdown source or normalized text, or the manifest or archive of its folder. */
  | { readonly kind: "page"; readonly slug: string; readonly pageKey: string }
  /** Contents of a folder's files. */
  | { readonly kind: "pack"; readonly slug: string }
  /** A picture, a report or the PDF of a page. */
  | { readonly kind: "render"; readonly slug: string }
  | { readonly kind: "blob"; readonly namespace: string; readonly id: string }
  /** A segment or the manifest of the search index. */
  | { readonly kind: "search" }
  /** An unfinished upload, which no row refers to. */
  | { readonly kind: "staged"; readonly ownerId: string; readonly id: string }
  | { readonly kind: "unknown" };

type ObjectForm = readonly [form: RegExp, read: (...groups: string[]) => StoredObject];

const staged: ObjectForm = [
  /^staging\/([^/]+)\/([^/]+)$/,
  (ownerId = "", id = "") => ({ kind: "staged", ownerId, id }),
];
const toFile = (namespace = "", id = ""): StoredObject => ({ kind: "blob", namespace, id });
const toPage = (key = "", slug = ""): StoredObject => ({ kind: "page", slug, pageKey: `${key}.html` });

/**
 * Formats of object keys in each bucket, as made by `toStoredPage`, `contextKey`, `sourceKey`, `pageTextKey`, `packObjectKey`,
 * `manifestKey`, `archiveKey`, `pictureKey`, `reportKey`, `pdfKey` and `newObjectKey`.
 */
const objectForms: Readonly<Record<"pages" | "blobs", readonly ObjectForm[]>> = {
  pages: [
    staged,
    [new RegExp(`^${searchPrefix}`), () => ({ kind: "search" })],
    [
      /^(?:cards|_reports)\/([A-Za-z0-9]{7})\/[A-Za-z0-9]{16}\/[a-z-]+\.(?:jpeg|json|pdf|png|webp)$/,
      (slug = "") => ({ kind: "render", slug }),
    ],
    [/^_words\/(([A-Za-z0-9]{7})\/[A-Za-z0-9]{16})\.txt$/, toPage],
    [/^_files\/([A-Za-z0-9]{7})\/[A-Za-z0-9]{16}\.\d+\.pack$/, (slug = "") => ({ kind: "pack", slug })],
    [/^_files\/(([A-Za-z0-9]{7})\/[A-Za-z0-9]{16})\.(?:json|zip)$/, toPage],
    [/^(([A-Za-z0-9]{7})\/[A-Za-z0-9]{16})\.(?:html|context\.txt|md)$/, toPage],
  ],
  blobs: [
    staged,
    [/^_restricted\/([a-z0-9-]{1,63})\/([A-Za-z0-9]{7})\/[A-Za-z0-9]{16}$/, toFile],
    [/^([a-z0-9-]{1,63})\/([A-Za-z0-9]{7})$/, toFile],
  ],
};

/** Parses an object's key. */
export function readObjectKey(bucket: "pages" | "blobs", key: string): StoredObject {
  for (const [form, read] of objectForms[bucket]) {
    const [match, ...groups] = form.exec(key) ?? [];
    if (match !== undefined) return read(...groups);
  }
  return { kind: "unknown" };
}

/**
 * Creates jobs that check each object that a message names. The message is delayed longer than any write takes. An object that still has no
 * row is an orphan.
 */
export function orphanChecks(messages: readonly SQSRecord[]): Job<SQSRecord>[] {
  return messages.map((message) => ({
    sources: [message],
    run: async () => {
      for (const object of readObjectCreated(message.body)) await removeIfOrphan(object);
    },
  }));
}

async function removeIfOrphan({ bucket, key }: ReturnType<typeof readObjectCreated>[number]): Promise<void> {
  const object = readObjectKey(bucketKind(bucket), key);
  if (object.kind === "unknown") {
    // Objects with unknown keys are not removed.
    writeLog({ level: "warn", operation: "follow-up", event: "unknown-object", bucket, key });
    return;
  }
  // Only the writer of the index may change its objects.
  if (object.kind === "search") return indexSoon([{ objectKey: key }]);
  if (!(await isReferenced(object, key))) await removeObjects(s3, bucket, [key]);
}

function bucketKind(bucket: string): "pages" | "blobs" {
  if (bucket === readEnvironment(environmentNames.pagesBucket)) return "pages";
  if (bucket === readEnvironment(environmentNames.blobsBucket)) return "blobs";
  throw new Error(`Unknown bucket ${bucket}: it is neither the pages bucket nor the files bucket.`);
}

/**
 * Parses a bucket's notification of new objects. The test message, sent when notifications are set up, has no objects.
 *
 * Source: Amazon S3, "Event message structure".
 *
 * @throws Error if the text is not a notification
 */
function readObjectCreated(text: string) {
  const message = JSON.parse(text) as Partial<S3Event> & { readonly Event?: string };
  if (message.Event === "s3:TestEvent") return [];
  if (!Array.isArray(message.Records)) throw new Error("The message is not a bucket notification.");
  return message.Records.map(({ s3 }) => ({
    bucket: s3.bucket.name,
    // Keys are encoded as in a form, with plus signs for spaces.
    key: decodeURIComponent(s3.object.key.replaceAll("+", " ")),
  }));
}

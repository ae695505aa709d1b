import type { DynamoDBRecord, AttributeValue as StreamAttributeValue } from "aws-lambda";
import { blobObjectKey, isSettled } from "../blobs/blob.ts";
import { toBlob } from "../blobs/store.ts";
import { objectKeysOf } from "../drops/drop.ts";
import { toVersion } from "../drops/items.ts";
import { wordsKey } from "../feedback/feedback.ts";
import { type Key, type KeySubject, parseKey } from "../platform/keys.ts";
import { fromAttributes, type Item } from "../platform/table.ts";
import { isOpenToAll, toVisibility } from "../platform/visibility.ts";
import { renderObjectKeys } from "../renders/render.ts";
import { toRender } from "../renders/store.ts";

/** A change of the table that leaves something to be done. */
export type TableChange =
  | {
      readonly kind: "drop-removed";
      readonly ownerId: string;
      readonly slug: string;
      readonly namespace: string;
    }
  | { readonly kind: "drop-restricted"; readonly slug: string; readonly namespace: string }
  | { readonly kind: "version-added"; readonly slug: string; readonly version: number }
  /** Its owner asks what a version looks like. */
  | { readonly kind: "render-asked"; readonly slug: string; readonly version: number }
  | {
      readonly kind: "version-removed";
      readonly slug: string;
      readonly version: number;
      readonly objectKeys: readonly string[];
    }
  /** What was rendered of a version is replaced, or its version is gone. */
  | { readonly kind: "render-removed"; readonly slug: string; readonly objectKeys: readonly string[] }
  | {
      readonly kind: "blob-removed";
      readonly id: string;
      readonly namespace: string;
      /** Where it was, and where the edge looks. */
      readonly objectKeys: readonly string[];
    }
  /** Others may read a file than before, or its bytes are not where they are to be. */
  | {
      readonly kind: "blob-changed";
      readonly id: string;
      readonly namespace: string;
      readonly isRestricted: boolean;
    };

/**
 * Reads a record of the table's stream; undefined where it leaves nothing to be done.
 *
 * @throws TypeError when it is of a row that the service did not write.
 */
export function readTableChange({ eventName, dynamodb = {} }: DynamoDBRecord): TableChange | undefined {
  const subject = parseKey(readKey(dynamodb));
  const before = toItem(dynamodb.OldImage);
  if (eventName === "REMOVE") return subject && readRemoval(subject, before);
  if (subject?.kind === "render") return readRenderChange(subject, before, toItem(dynamodb.NewImage));
  if (eventName === "INSERT") {
    return subject?.kind === "version"
      ? { kind: "version-added", slug: subject.slug, version: subject.version }
      : undefined;
  }
  if (eventName === "MODIFY" && subject?.kind === "blob")
    return readFileChange(before, toItem(dynamodb.NewImage));
  if (eventName !== "MODIFY" || subject?.kind !== "drop") return undefined;
  // Nothing is kept of a restricted drop: a changed passcode leaves nothing to be forgotten, nor does its removal.
  const isRestricted = isKept(before) && !isKept(toItem(dynamodb.NewImage));
  return isRestricted
    ? { kind: "drop-restricted", slug: subject.slug, namespace: namespaceOf(before) }
    : undefined;
}

/** While it is asked for again, a row keeps the objects that it has. */
function readRenderChange(
  { slug, version }: { readonly slug: string; readonly version: number },
  before: Item,
  after: Item,
): TableChange | undefined {
  if (after.state === "asked")
    return before.state === "asked" && before.atMs === after.atMs
      ? undefined
      : { kind: "render-asked", slug, version };
  if (before.pk === undefined) return undefined;
  const [had, has] = [before, after].map((item) => renderObjectKeys(toRender(item)));
  const objectKeys = (had ?? []).filter((key) => !has?.includes(key));
  return objectKeys.length === 0 ? undefined : { kind: "render-removed", slug, objectKeys };
}

function readFileChange(before: Item, after: Item): TableChange | undefined {
  const [was, is] = [toBlob(before), toBlob(after)];
  if (isSettled(is) && isOpenToAll(was) === isOpenToAll(is)) return undefined;
  return { kind: "blob-changed", id: is.id, namespace: namespaceOf(after), isRestricted: !isOpenToAll(is) };
}

/** The key of the row that a record of the table's stream is about. */
export function readKey({ Keys }: NonNullable<DynamoDBRecord["dynamodb"]>): Key {
  return toItem(Keys) as unknown as Key;
}

/** Whether the edge may keep pages of the drop: it has no passcode, and anybody may read it. */
function isKept(drop: Item): boolean {
  return drop.passcodeHash === undefined && isOpenToAll({ visibility: toVisibility(drop) });
}

function readRemoval(subject: KeySubject, item: Item): TableChange {
  switch (subject.kind) {
    case "drop":
      return {
        kind: "drop-removed",
        ownerId: subject.userId,
        slug: subject.slug,
        namespace: namespaceOf(item),
      };
    case "version": {
      const version = toVersion(item);
      requireText("pageKey", version.pageKey);
      const { slug, version: number } = subject;
      const objectKeys = [...objectKeysOf(version), wordsKey(version.pageKey)];
      return { kind: "version-removed", slug, version: number, objectKeys };
    }
    case "render":
      return {
        kind: "render-removed",
        slug: subject.slug,
        objectKeys: renderObjectKeys(toRender(item)),
      };
    case "blob": {
      const { objectKey } = toBlob(item);
      requireText("objectKey", objectKey);
      const namespace = namespaceOf(item);
      const objectKeys = [...new Set([objectKey, blobObjectKey(namespace, subject.id)])];
      return { kind: "blob-removed", id: subject.id, namespace, objectKeys };
    }
  }
}

/** The owner's, by which pages and files have addresses. */
function namespaceOf({ namespace }: Item): string {
  requireText("namespace", namespace);
  return namespace as string;
}

/** The stores take an item as they wrote it; what is removed must not rest on that. */
function requireText(name: string, value: unknown): void {
  if (typeof value !== "string" || value === "") throw new TypeError(`The row has no ${name}.`);
}

/** Lambda's type of an attribute value differs from the SDK's in binary values only, which the table has none of. */
export function toItem(image: Record<string, StreamAttributeValue> = {}): Item {
  return fromAttributes(image as Parameters<typeof fromAttributes>[0]);
}

import type { Blob } from "../domain/blob.ts";
import { keys } from "./keys.ts";
import type { Item } from "./table.ts";

/** A file as its item holds it. */
export function toBlobItem(blob: Blob): Item {
  const { id, ownerId, ...attributes } = blob;
  return { ...keys.blob(ownerId, id), ...attributes };
}

/** The file of an item. */
export function toBlob(item: Item): Blob {
  return {
    id: (item.sk as string).slice("BLOB#".length),
    ownerId: (item.pk as string).slice("USER#".length),
    namespace: item.namespace as string,
    filename: item.filename as string,
    contentType: item.contentType as string,
    sizeBytes: item.sizeBytes as number,
    objectKey: item.objectKey as string,
    createdAtMs: item.createdAtMs as number,
  };
}

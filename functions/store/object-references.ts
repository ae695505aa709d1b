import type { StoredObject } from "../domain/stored-object.ts";
import { keys, ranges } from "./keys.ts";
import { getItem, queryAll } from "./table.ts";

/** Whether a row points at an object. Strongly consistent: a row that is committed is seen. */
export async function isReferenced(
  object: Exclude<StoredObject, { readonly kind: "unknown" }>,
  objectKey: string,
): Promise<boolean> {
  switch (object.kind) {
    case "page": {
      const versions = await queryAll(ranges.versions(object.slug));
      return versions.some((version) => version.pageKey === object.pageKey);
    }
    case "blob": {
      const owner = await getItem(keys.namespace(object.namespace));
      if (owner === undefined) return false;
      const blob = await getItem(keys.blob(owner.userId as string, object.id));
      return blob?.objectKey === objectKey;
    }
    case "staged":
      return false;
  }
}

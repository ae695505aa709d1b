import { AwsError } from "../aws-error.ts";
import type { AwsRequest } from "../aws-service.ts";
import { element, parent, s3Document } from "../xml.ts";
import type { Deletion, NamedObject, ObjectStore } from "./object-store.ts";
import { receiveXml } from "./payload.ts";
import { parseVersionId } from "./version-id.ts";

const KEYS_MAX = 1000;
const BODY_BYTES_MAX = 8 * 1024 * 1024;

/** Deletes each listed object that the caller may delete, for DeleteObjects. Returns all results as XML. */
export async function deleteObjects(
  store: ObjectStore,
  request: AwsRequest,
  mayDelete: (object: NamedObject) => boolean,
): Promise<string> {
  const { objects, isQuiet } = await readDelete(request);
  const results: string[] = [];
  for (const object of objects) {
    if (!mayDelete(object)) {
      const refusal = [element("Code", "AccessDenied"), element("Message", "Access Denied")];
      results.push(parent("Error", ...named(object), ...refusal));
      continue;
    }
    const deletion = await store.delete(object.key, object.versionId);
    if (!isQuiet) results.push(parent("Deleted", ...named(object), ...markerOf(deletion)));
  }
  return s3Document("DeleteResult", ...results);
}

function named({ key, versionId }: NamedObject): string[] {
  return [element("Key", key), ...(versionId === undefined ? [] : [element("VersionId", versionId)])];
}

function markerOf({ isDeleteMarker, versionId = "" }: Deletion): string[] {
  if (!isDeleteMarker) return [];
  return [element("DeleteMarker", true), element("DeleteMarkerVersionId", versionId)];
}

async function readDelete(request: AwsRequest): Promise<{ objects: NamedObject[]; isQuiet: boolean }> {
  const root = await receiveXml(request, "Delete", { bytesMax: BODY_BYTES_MAX, needsDigest: true });
  const entries = root?.children("Object") ?? [];
  const objects = entries.flatMap((entry) => {
    const key = entry.text("Key");
    return key === undefined ? [] : [{ key, versionId: parseVersionId(entry.text("VersionId")) }];
  });
  if (entries.length === 0 || entries.length > KEYS_MAX || objects.length < entries.length) {
    throw new AwsError("MalformedXML", 400, `The body must be a Delete element with 1 to ${KEYS_MAX} keys.`);
  }
  return { objects, isQuiet: root?.text("Quiet") === "true" };
}

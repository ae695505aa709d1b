import { AwsError } from "../aws-error.ts";
import type { AwsRequest } from "../aws-service.ts";
import { element, parent, parseXml, s3Document } from "../xml.ts";
import type { Deletion, ObjectStore } from "./object-store.ts";
import { receivePayload } from "./payload.ts";
import { requestHeader } from "./request-header.ts";
import { parseVersionId } from "./version-id.ts";

const KEYS_MAX = 1000;
const BODY_BYTES_MAX = 8 * 1024 * 1024;

/** Entry of a DeleteObjects: an object, or a version of it. */
export interface NamedObject {
  readonly key: string;
  readonly versionId: string | undefined;
}

/** DeleteObjects: deletes each object that the caller may delete and says of each what became of it, as XML. */
export async function deleteObjects(
  store: ObjectStore,
  request: AwsRequest,
  mayDelete: (object: NamedObject) => boolean,
): Promise<string> {
  const { objects, isQuiet } = await readDelete(request);
  const results: string[] = [];
  for (const object of objects) {
    if (!mayDelete(object)) {
      results.push(
        parent(
          "Error",
          ...named(object),
          element("Code", "AccessDenied"),
          element("Message", "Access Denied"),
        ),
      );
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
  const pieces: Buffer[] = [];
  const { checksum } = await receivePayload(
    request,
    BODY_BYTES_MAX,
    async (bytes) => void pieces.push(bytes),
  );
  if (!checksum && requestHeader(request, "content-md5") === undefined) {
    throw new AwsError("InvalidRequest", 400, "Missing required header for this request: Content-MD5");
  }
  const root = parseXml(Buffer.concat(pieces).toString("utf8"), "Delete");
  const objects = root?.children("Object").flatMap((object) => {
    const key = object.text("Key");
    return key === undefined ? [] : [{ key, versionId: parseVersionId(object.text("VersionId")) }];
  });
  const count = root?.children("Object").length ?? 0;
  if (!objects || count === 0 || count > KEYS_MAX || objects.length < count) {
    throw new AwsError("MalformedXML", 400, `The body must be a Delete element with 1 to ${KEYS_MAX} keys.`);
  }
  return { objects, isQuiet: root?.text("Quiet") === "true" };
}

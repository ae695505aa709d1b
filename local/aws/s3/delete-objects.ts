import { AwsError } from "../aws-error.ts";
import type { AwsRequest } from "../aws-service.ts";
import { element, parent, parseXml } from "../xml.ts";
import type { ObjectStore } from "./object-store.ts";
import { receivePayload } from "./payload.ts";
import { requestHeader } from "./request-header.ts";
import { xmlDocument } from "./xml-document.ts";

const KEYS_MAX = 1000;
const BODY_BYTES_MAX = 8 * 1024 * 1024;

/** DeleteObjects: deletes each key that the caller may delete and says of each what became of it, as XML. */
export async function deleteObjects(
  store: ObjectStore,
  request: AwsRequest,
  mayDelete: (key: string) => boolean,
): Promise<string> {
  const { keys, isQuiet } = await readDelete(request);
  const results: string[] = [];
  for (const key of keys) {
    if (mayDelete(key)) {
      await store.delete(key);
      if (!isQuiet) results.push(parent("Deleted", element("Key", key)));
    } else {
      results.push(
        parent(
          "Error",
          element("Key", key),
          element("Code", "AccessDenied"),
          element("Message", "Access Denied"),
        ),
      );
    }
  }
  return xmlDocument("DeleteResult", ...results);
}

async function readDelete(request: AwsRequest): Promise<{ keys: string[]; isQuiet: boolean }> {
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
  const keys = root?.children("Object").map((object) => object.text("Key"));
  if (!keys || keys.length === 0 || keys.length > KEYS_MAX || !keys.every((key) => key !== undefined)) {
    throw new AwsError("MalformedXML", 400, `The body must be a Delete element with 1 to ${KEYS_MAX} keys.`);
  }
  return { keys, isQuiet: root?.text("Quiet") === "true" };
}

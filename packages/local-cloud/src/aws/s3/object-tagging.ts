import { AwsError } from "../aws-error.ts";
import type { AwsRequest } from "../aws-service.ts";
import { element, parent, s3Document } from "../xml.ts";
import { openVersion } from "./get-object.ts";
import type { ObjectStore } from "./object-store.ts";
import { receiveXml } from "./payload.ts";
import { noSuchKey } from "./s3-errors.ts";

/** The tags of an object, by their keys. */
type ObjectTags = Readonly<Record<string, string>>;

/** Limits of an object's tags; see "Categorizing your objects using tags". */
const TAGS_MAX = 10;
const KEY_CHARACTERS_MAX = 128;
const VALUE_CHARACTERS_MAX = 256;
const ALLOWED_TEXT = /^[\p{L}\p{N}\p{Zs}+\-=._:/@]*$/u;

const BODY_BYTES_MAX = 64 * 1024;

/** Returns the tags of the current version as XML, for GetObjectTagging. Throws AwsError NoSuchKey. */
export async function tagsDocument(store: ObjectStore, key: string): Promise<string> {
  const object = await openVersion(store, key);
  await object.close();
  const tags = Object.entries(object.metadata.tags ?? {}).map(([name, value]) =>
    parent("Tag", element("Key", name), element("Value", value)),
  );
  return s3Document("Tagging", parent("TagSet", ...tags));
}

/** Replaces all tags of the current version. Throws AwsError NoSuchKey. */
export async function replaceTags(store: ObjectStore, key: string, tags: ObjectTags): Promise<void> {
  if (!(await store.setTags(key, tags))) throw noSuchKey(key, await store.deleteMarkerOf(key));
}

/** Returns the values of `s3:ExistingObjectTag/<key>` for policies, or no values if there is no object. */
export async function tagConditionKeys(
  store: ObjectStore,
  key: string,
  versionId?: string,
): Promise<Record<string, string[]>> {
  const object = await store.open(key, versionId);
  await object?.close();
  const tags = Object.entries(object?.metadata.tags ?? {});
  return Object.fromEntries(tags.map(([name, value]) => [`s3:ExistingObjectTag/${name}`, [value]]));
}

/**
 * Reads the tags in the body of a PutObjectTagging request.
 *
 * @throws AwsError MalformedXML, InvalidTag, BadRequest for too many tags, InvalidRequest without a digest
 */
export async function parseTagging(request: AwsRequest): Promise<ObjectTags> {
  const root = await receiveXml(request, "Tagging", { bytesMax: BODY_BYTES_MAX, needsDigest: true });
  const [set] = root?.children("TagSet") ?? [];
  const tags = set?.children("Tag").map((tag) => [tag.text("Key"), tag.text("Value")] as const);
  if (tags === undefined || tags.some(([name, value]) => name === undefined || value === undefined))
    throw new AwsError("MalformedXML", 400, "The body must be a Tagging element with a TagSet.");
  if (tags.length > TAGS_MAX) throw new AwsError("BadRequest", 400, "Object tags cannot be greater than 10");
  for (const [name = "", value = ""] of tags) requireTag(name, value);
  if (new Set(tags.map(([name]) => name)).size < tags.length)
    throw new AwsError("InvalidTag", 400, "Cannot provide multiple Tags with the same key");
  return Object.fromEntries(tags) as ObjectTags;
}

function requireTag(name: string, value: string): void {
  const isName = name.length > 0 && name.length <= KEY_CHARACTERS_MAX && ALLOWED_TEXT.test(name);
  if (!isName || name.startsWith("aws:"))
    throw new AwsError("InvalidTag", 400, "The TagKey you have provided is invalid");
  if (value.length > VALUE_CHARACTERS_MAX || !ALLOWED_TEXT.test(value))
    throw new AwsError("InvalidTag", 400, "The TagValue you have provided is invalid");
}

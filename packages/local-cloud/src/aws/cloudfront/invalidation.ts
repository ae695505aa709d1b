import { isCacheTag } from "../../cloudfront/cache-tags.ts";
import { AwsError } from "../aws-error.ts";
import { parseXml } from "../xml.ts";
import { invalidArgument } from "./cloudfront-errors.ts";

/** Input of CreateInvalidation. */
export interface InvalidationBatch {
  readonly callerReference: string;
  /** Tags, without the `#` that begins an item. */
  readonly tags: readonly string[];
}

/**
 * Reads and checks the body of a CreateInvalidation; "What you need to know when invalidating tags".
 *
 * @throws AwsError MalformedXML, InvalidArgument, InconsistentQuantities, or NotImplemented for a path
 */
export function parseInvalidationBatch(xml: string): InvalidationBatch {
  const root = parseXml(xml, "InvalidationBatch");
  const callerReference = root?.text("CallerReference");
  const [paths] = root?.children("Paths") ?? [];
  if (!root || !paths || !callerReference) {
    throw new AwsError(
      "MalformedXML",
      400,
      "The body must be an InvalidationBatch with Paths and CallerReference.",
    );
  }
  const items = paths.children("Items").flatMap((list) => list.texts("Path"));
  if (Number(paths.text("Quantity")) !== items.length) {
    throw new AwsError(
      "InconsistentQuantities",
      400,
      `The value of Quantity, ${paths.text("Quantity")}, is not the number of items, ${items.length}.`,
    );
  }
  if (items.length === 0) throw invalidArgument("Your request must contain at least one item.");
  return { callerReference, tags: items.map(readTag) };
}

function readTag(item: string): string {
  if (item.startsWith("/")) {
    const message = `Invalidating the path "${item}" is not emulated: name a tag, such as #all.`;
    throw new AwsError("NotImplemented", 501, message);
  }
  const tag = item.slice(1);
  if (!item.startsWith("#") || !isCacheTag(tag)) {
    const message = `The item "${item}" must be # and a tag of at most 256 visible ASCII characters without commas.`;
    throw invalidArgument(message);
  }
  return tag;
}

import { AwsError } from "../aws-error.ts";
import { parseXml } from "../xml.ts";
import { invalidArgument } from "./cloudfront-errors.ts";

/** What a CreateInvalidation asks for. */
export interface InvalidationBatch {
  readonly callerReference: string;
  readonly paths: readonly string[];
}

/** "Invalidation paths" of that page. */
const PATH_CHARACTERS_MAX = 4_000;

/**
 * Reads and checks the body of a CreateInvalidation; "What you need to know when invalidating files".
 *
 * @throws AwsError MalformedXML, InvalidArgument, InconsistentQuantities
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
      `The value of Quantity, ${paths.text("Quantity")}, is not the number of paths, ${items.length}.`,
    );
  }
  if (items.length === 0) throw invalidArgument("Your request must contain at least one invalidation path.");
  for (const path of items) requirePath(path);
  return { callerReference, paths: items };
}

function requirePath(path: string): void {
  if (!path.startsWith("/")) throw invalidArgument(`The invalidation path "${path}" must begin with /.`);
  if (path.length > PATH_CHARACTERS_MAX) {
    throw invalidArgument(
      `An invalidation path has ${path.length} characters, more than ${PATH_CHARACTERS_MAX}.`,
    );
  }
  if (path.slice(0, -1).includes("*")) {
    throw invalidArgument(`The invalidation path "${path}" may have * only as its last character.`);
  }
  // "Non-ASCII or unsafe characters": compared with what the viewer sent, which is percent-encoded.
  if (!/^[\x21-\x7e]+$/.test(path) || /[<>"{}|\\^`]/.test(path)) {
    throw invalidArgument(`The invalidation path "${path}" must be percent-encoded.`);
  }
}

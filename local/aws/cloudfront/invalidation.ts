import { AwsError } from "../aws-error.ts";
import { parseXml } from "../xml.ts";
import { invalidArgument } from "./cloudfront-errors.ts";

/** What a CreateInvalidation asks for. */
export interface InvalidationBatch {
  readonly callerReference: string;
  readonly paths: readonly string[];
}

/** "Quotas on invalidations": files, and paths with a wildcard, that may be in progress. */
const PATHS_MAX = 3_000;
const WILDCARD_PATHS_MAX = 15;

/**
 * Reads and checks the body of a CreateInvalidation; "What you need to know when invalidating files".
 *
 * @throws AwsError MalformedXML, InvalidArgument, InconsistentQuantities, TooManyInvalidationsInProgress
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
  for (const path of items) requirePath(path);
  refuseTooMany(items);
  return { callerReference, paths: items };
}

function requirePath(path: string): void {
  if (!path.startsWith("/")) throw invalidArgument(`The invalidation path "${path}" must begin with /.`);
  if (path.slice(0, -1).includes("*")) {
    throw invalidArgument(`The invalidation path "${path}" may have * only as its last character.`);
  }
  // "Non-ASCII or unsafe characters": compared with what the viewer sent, which is percent-encoded.
  if (!/^[\x21-\x7e]+$/.test(path) || /[<>"{}|\\^`]/.test(path)) {
    throw invalidArgument(`The invalidation path "${path}" must be percent-encoded.`);
  }
}

function refuseTooMany(paths: readonly string[]): void {
  if (paths.length === 0) throw invalidArgument("Your request must contain at least one invalidation path.");
  const wildcards = paths.filter((path) => path.endsWith("*")).length;
  if (paths.length <= PATHS_MAX && wildcards <= WILDCARD_PATHS_MAX) return;
  throw new AwsError(
    "TooManyInvalidationsInProgress",
    400,
    `At most ${PATHS_MAX} paths, ${WILDCARD_PATHS_MAX} of them with *, may be in progress, not ${paths.length} and ${wildcards}.`,
  );
}

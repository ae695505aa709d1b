import { type OperationId, routeOf } from "../../functions/routes.ts";
import { documentsSource, servedOperationIds } from "../bundle/function-source.ts";

/**
 * Divisors for operations that anyone with a drop's URL can call. The reserved concurrency is `visitorConcurrencyMax` divided by the
 * operation's divisor.
 */
const shares: { readonly [id in OperationId]?: number } = {
  "view-drop": 1,
  "read-raw-page": 1,
  // Files of folders cause fewer requests, because the edge caches the files of drops that anyone may read.
  "read-folder-file": 6,
  "read-pdf": 60,
};

/** Divisor for all other functions that visitors can call, which are called far less often. */
const othersShare = 24;

/** Functions that serve requests without a token or a sign-in. */
const visitorFunctions: readonly string[] = [
  ...servedOperationIds.filter((id) =>
    ["pages", "feedback-pages", "discovery"].includes(routeOf(id).resource),
  ),
  documentsSource.id,
];

/** Returns the reserved concurrency of a function for visitors, or undefined for other functions. */
export function visitorConcurrencyOf(id: string, readersMax: number): number | undefined {
  if (!visitorFunctions.includes(id)) return undefined;
  return Math.ceil(readersMax / (shares[id as OperationId] ?? othersShare));
}

/** Returns the sum of all reserved concurrency for visitors. */
export function visitorConcurrencySum(readersMax: number): number {
  return visitorFunctions.reduce((sum, id) => sum + (visitorConcurrencyOf(id, readersMax) ?? 0), 0);
}

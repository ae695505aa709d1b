import { type OperationId, routeOf } from "../../functions/routes.ts";
import { documentsSource, servedOperationIds } from "../bundle/function-source.ts";

/** Divisors of the reserved concurrency of operations that anyone with a drop's URL can call. */
const shares: { readonly [id in OperationId]?: number } = {
  "view-drop": 1,
  "read-raw-page": 1,
  // The edge caches the files of open drops.
  "read-folder-file": 6,
  "read-pdf": 60,
};

/** Divisor for the other functions for visitors, which are called far less. */
const othersShare = 24;

/** Every function that serves requests without a token and without a sign-in. */
const visitorFunctions: readonly string[] = [
  ...servedOperationIds.filter((id) =>
    ["pages", "feedback-pages", "discovery"].includes(routeOf(id).resource),
  ),
  documentsSource.id,
];

/** Reserved concurrency of a function for visitors; undefined for others. */
export function visitorConcurrencyOf(id: string, readersMax: number): number | undefined {
  if (!visitorFunctions.includes(id)) return undefined;
  return Math.ceil(readersMax / (shares[id as OperationId] ?? othersShare));
}

/** Sum of a stack's reserved concurrency for visitors. */
export function visitorConcurrencySum(readersMax: number): number {
  return visitorFunctions.reduce((sum, id) => sum + (visitorConcurrencyOf(id, readersMax) ?? 0), 0);
}

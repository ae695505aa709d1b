import { type OperationId, routeOf } from "../../functions/routes.ts";
import { documentsSource, servedOperationIds } from "../bundle/function-source.ts";

/** Operations that anyone with a drop's URL can call. */
const readerOperations: readonly string[] = ["view-drop", "read-raw-page"] satisfies OperationId[];

/** Divisor of the reserved concurrency for the other functions for visitors, which are called far less. */
const othersShare = 24;

/** Operation for the files of folders: the edge caches those of open drops. */
const fileOperation = "read-folder-file" satisfies OperationId;

/** Divisor of its reserved concurrency. */
const filesShare = 6;

/** Operation for PDFs, which few readers download. */
const pdfOperation = "read-pdf" satisfies OperationId;

/** Divisor of its reserved concurrency. */
const pdfShare = 60;

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
  if (readerOperations.includes(id)) return readersMax;
  if (id === pdfOperation) return Math.ceil(readersMax / pdfShare);
  return Math.ceil(readersMax / (id === fileOperation ? filesShare : othersShare));
}

/** Sum of a stack's reserved concurrency for visitors. */
export function visitorConcurrencySum(readersMax: number): number {
  return visitorFunctions.reduce((sum, id) => sum + (visitorConcurrencyOf(id, readersMax) ?? 0), 0);
}

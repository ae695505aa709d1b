import { type OperationId, routeOf } from "../../functions/routes.ts";
import { documentsSource, servedOperationIds } from "../bundle/function-source.ts";

/** What everybody asks for who was given a drop's address. */
const readerOperations: readonly string[] = ["view-drop", "read-raw-page"] satisfies OperationId[];

/** Of what readers' functions may have, what each other function for visitors may: they are asked for far less. */
const othersShare = 20;

/** Every function that answers whoever comes, without a token and without signing in. */
const visitorFunctions: readonly string[] = [
  ...servedOperationIds.filter((id) =>
    ["pages", "feedback-pages", "discovery"].includes(routeOf(id).resource),
  ),
  documentsSource.id,
];

/** How many of a function may work at once where readers' may be so many; undefined for what is not for visitors. */
export function visitorConcurrencyOf(id: string, readersMax: number): number | undefined {
  if (!visitorFunctions.includes(id)) return undefined;
  return readerOperations.includes(id) ? readersMax : Math.ceil(readersMax / othersShare);
}

/** How many functions a stack reserves in its account where readers' may be so many. */
export function visitorConcurrencySum(readersMax: number): number {
  return visitorFunctions.reduce((sum, id) => sum + (visitorConcurrencyOf(id, readersMax) ?? 0), 0);
}

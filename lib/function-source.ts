import { type OperationId, operationIds, routeOf } from "../functions/contract/routes.ts";

/** The code of a Lambda function. */
export interface FunctionSource {
  readonly id: string;
  /** Relative to the root of the project. */
  readonly file: string;
  /** The function in that file which Lambda calls. */
  readonly exportName: string;
}

/** The operations that a function of their own answers. */
export const servedOperationIds: readonly OperationId[] = operationIds.filter(
  (id) => (routeOf(id).servedBy ?? "function") === "function",
);

/** Where an operation's handler is, and what it is called: `publish-drop` exports `publishDrop`. */
export function handlerSource(id: OperationId): FunctionSource {
  return {
    id,
    file: `functions/handlers/${routeOf(id).resource}/${id}.ts`,
    exportName: id.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  };
}

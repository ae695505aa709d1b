import type { Route } from "../contract/route.ts";
import type { HttpAnswer } from "./answer.ts";
import { compressed } from "./compression.ts";
import { type Operation, type OperationInput, operation } from "./operation.ts";

/** An operation that answers with a document: the same for everybody, in the encoding that the client prefers. */
export function documentOperation<Row extends Route>(
  route: Row,
  run: (input: OperationInput<Row>) => Promise<HttpAnswer>,
): Operation {
  return operation(route, async (input) => compressed(await run(input), input.request));
}

import preferredMediaTypes from "negotiator/lib/mediaType.js";
import type { ApiError } from "../contract/api-error.ts";
import type { Route } from "../contract/route.ts";
import type { HttpAnswer } from "./answer.ts";
import { compressed } from "./compression.ts";
import { errorJson } from "./error-answer.ts";
import { errorPage } from "./error-page-answer.ts";
import { anyone, defineOperation, type Operation, type OperationInput } from "./operation.ts";
import type { HttpRequest } from "./request.ts";

/** An operation for people: refusals are pages, or JSON where the request asks for it. */
export function pageOperation<Row extends Route>(
  route: Row,
  run: (input: OperationInput<Row>) => Promise<HttpAnswer>,
): Operation {
  return defineOperation(route, {
    identify: anyone,
    presentError,
    run: async (input: OperationInput<Row>) => compressed(await run(input), input.request),
  });
}

/** A refusal in the form that the row and the request's Accept ask for (RFC 9110, section 12.5.1). */
export function presentError(error: ApiError, route: Route, request: HttpRequest): HttpAnswer {
  const preferred =
    route.errorsAs === "page" ? ["text/html", "application/json"] : ["application/json", "text/html"];
  const accept = request.headers.accept?.join(", ") ?? "*/*";
  const [chosen] = preferredMediaTypes(accept, preferred);
  const isJson = (chosen ?? preferred[0]) === "application/json";
  return isJson ? errorJson(error) : errorPage(error, route, request);
}

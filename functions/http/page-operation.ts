import preferredMediaTypes from "negotiator/lib/mediaType.js";
import type { ApiError } from "../contract/api-error.ts";
import type { Route } from "../contract/route.ts";
import { renderErrorPage } from "../views/error-page.tsx";
import { text } from "../views/text.ts";
import type { HttpAnswer } from "./answer.ts";
import { errorHeaders, errorJson } from "./error-answer.ts";
import { anyone, defineOperation, type Operation, type OperationInput } from "./operation.ts";
import { page } from "./page-answer.ts";
import type { HttpRequest } from "./request.ts";
import { readSite } from "./site.ts";

/** An operation for people: refusals are pages, or JSON where the request asks for it. */
export function pageOperation<Row extends Route>(
  route: Row,
  run: (input: OperationInput<Row>) => Promise<HttpAnswer>,
): Operation {
  return defineOperation(route, { identify: anyone, presentError, run });
}

/** A refusal in the form that the row and the request's Accept ask for (RFC 9110, section 12.5.1). */
export function presentError(error: ApiError, route: Route, request: HttpRequest): HttpAnswer {
  const preferred =
    route.errorsAs === "page" ? ["text/html", "application/json"] : ["application/json", "text/html"];
  const accept = request.headers.accept?.join(", ") ?? "*/*";
  const [chosen] = preferredMediaTypes(accept, preferred);
  if ((chosen ?? preferred[0]) === "application/json") return errorJson(error);
  const { status, message } = error;
  const render = (nonce: string) =>
    renderErrorPage({
      status,
      heading: text.error.heading(status),
      message,
      homeUrl: readSite().baseUrl,
      nonce,
    });
  const answer = page("sign-in", render, { status });
  return { ...answer, headers: { ...answer.headers, ...errorHeaders(error) } };
}

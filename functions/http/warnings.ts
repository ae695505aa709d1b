import * as z from "zod/mini";
import type { HttpResponse } from "./response.ts";
import type { Route } from "./route.ts";
import { schema } from "./schemas.ts";

/** What a good response in JSON may have beside its own fields: docs/adr/0056-errors-that-mend-the-call.md. */
export const warningsAddition = /* @__PURE__ */ schema(() =>
  z.object({ warnings: z.optional(z.array(z.string())) }),
);

/** Whether calls of a row are looked at for what was surely not meant. */
export function isReviewed({
  errorsAs,
  path,
  servedBy,
}: Pick<Route, "errorsAs" | "path" | "servedBy">): boolean {
  return errorsAs === "json" && path.startsWith("/api/") && servedBy === undefined;
}

/** The response with what there is to say of the call; as it is where that is nothing, or it is no JSON. */
export function withWarnings(response: HttpResponse, warnings: readonly string[]): HttpResponse {
  const { body, headers, status } = response;
  const isJson = typeof body === "string" && headers["content-type"]?.startsWith("application/json") === true;
  if (warnings.length === 0 || status >= 300 || !isJson) return response;
  return { ...response, body: JSON.stringify({ ...JSON.parse(body), warnings }) };
}

import * as z from "zod/mini";
import type { HttpRequest } from "./request.ts";
import type { HttpResponse } from "./response.ts";
import type { Route } from "./route.ts";
import { schema } from "./schemas.ts";

/** Schema of the field `warnings`, which is added to successful JSON responses; see docs/adr/0056-error-hints.md. */
export const warningsAddition = /* @__PURE__ */ schema(() =>
  z.object({ warnings: z.optional(z.array(z.string())) }),
);

/** Recognizes operations whose calls are checked for likely mistakes. */
export function isReviewed({
  errorsAs,
  path,
  servedBy,
}: Pick<Route, "errorsAs" | "path" | "servedBy">): boolean {
  return errorsAs === "json" && path.startsWith("/api/") && servedBy === undefined;
}

/** Adds warnings to a successful JSON response. Other responses stay unchanged. */
export function withWarnings(response: HttpResponse, warnings: readonly string[]): HttpResponse {
  const { body, headers, status } = response;
  const isJson = typeof body === "string" && headers["content-type"]?.startsWith("application/json") === true;
  if (warnings.length === 0 || status >= 300 || !isJson) return response;
  const { warnings: before = [], ...rest } = JSON.parse(body) as { readonly warnings?: readonly string[] };
  return { ...response, body: JSON.stringify({ ...rest, warnings: [...before, ...warnings] }) };
}

/** Recognizes operations whose responses can contain warnings. Other operations refuse unknown parameters instead of warning about them. */
export function hasWarnings({ caller, response }: Pick<Route, "caller" | "response">): boolean {
  return caller !== "token" || "json" in response;
}

/** Advice for callers who request answers to forms in a format other than JSON. */
export const asCsv = "GET /api/drops/{slug}/answers.csv returns the answers as CSV.";

/** Warns a caller whose Accept excludes JSON, if the call responds only in JSON. */
export function reviewAccept(
  { caller, resource, response }: Route,
  { headers }: HttpRequest,
): readonly string[] {
  const accept = headers.accept?.join(", ");
  if (accept === undefined || caller !== "token" || !("json" in response) || "alsoAs" in response) return [];
  if (/json|\*\/\*|application\/\*/i.test(accept)) return [];
  const page = " The page itself is at GET /api/drops/{slug}/html.";
  const isOfDrop = resource === "drops" || resource === "versions";
  const other = resource === "answers" ? ` ${asCsv}` : isOfDrop ? page : "";
  return [`This call responds in JSON, regardless of Accept.${other}`];
}

import type { $ZodType, output } from "zod/v4/core";
import { ApiError, errorCatalog } from "../runtime/errors.ts";
import { warnAboutInvisibleCharacters } from "../runtime/text.ts";
import { explainNoJson, refuseContentEncoding } from "./body-form.ts";
import type { RawQuery } from "./query.ts";
import type { HttpRequest } from "./request.ts";
import type { JsonBody, Route } from "./route.ts";
import { exampleOf, fieldsOf, parameterNamesOf } from "./schema-names.ts";
import { findMistaken, reviewNames } from "./unknown-fields.ts";
import { parseJson, validate } from "./validation.ts";
import { isReviewed } from "./warnings.ts";

/**
 * The query as the row's schema makes it.
 *
 * @throws ApiError for what breaks a rule; of a parameter that is missing it names the one that came in its place
 */
export function validateQuery<Schema extends $ZodType>(schema: Schema, sent: RawQuery): output<Schema> {
  return withMistaken(Object.keys(sent), parameterNamesOf(schema), "query parameter", () =>
    validate(schema, sent),
  );
}

/**
 * What there is to say of the parameters that a row does not know.
 *
 * @throws ApiError for one by which the caller means what would be dropped
 */
export function reviewParameters(route: Route, given: readonly string[]): readonly string[] {
  const { query, body, refusedParameters } = route;
  const known = query === undefined ? [] : parameterNamesOf(query);
  const others = given.filter((name) => !(known.includes("metadata") && name.startsWith("metadata.")));
  const pageSchema = typeof body === "object" ? body.page : undefined;
  if (pageSchema !== undefined) refuseBesideJson(others, parameterNamesOf(pageSchema));
  return reviewNames({ kind: "query parameter", given: others, known, meant: refusedParameters });
}

/** What says something of a page that is the body itself says nothing beside a JSON body. */
function refuseBesideJson(given: readonly string[], ofPage: readonly string[]): void {
  const name = given.find((one) => ofPage.includes(one) || one.startsWith("metadata."));
  if (name === undefined) return;
  const shown = name.slice(0, 100);
  const isTag = name.startsWith("metadata.");
  const way = isTag
    ? `To publish to the drop with this tag, or a new one: PUT /api/drops?${shown}=…; to tag a new drop, send metadata in the body.`
    : "With a JSON body, send it as a field of the body.";
  throw new ApiError("invalid_arg", {
    message: `The query parameter ${JSON.stringify(shown)} is not taken beside a JSON body. ${way}`,
    details: { parameter: shown },
  });
}

/**
 * A JSON body as the row's schema makes it, and what there is to say of the fields that the row does not know.
 *
 * @throws ApiError for what is no JSON, for what breaks a rule, and for a field by which the caller means what would be dropped
 */
export async function readJsonBody(
  route: Route,
  rule: JsonBody,
  request: HttpRequest,
  bytes: Uint8Array,
): Promise<{ readonly body: unknown; readonly warnings: readonly string[] }> {
  refuseContentEncoding(request, "invalid_json", bytes);
  const known = fieldsOf(rule.json).map(({ name }) => name);
  const takesPage = rule.page !== undefined;
  const example = exampleOf(rule.json);
  const value = parseJson(bytes, (reason) => explainNoJson(request, bytes, { reason, example, takesPage }));
  if (value === undefined && rule.required) {
    throw new ApiError("invalid_json", {
      message: `The request body is empty: send a JSON object, such as ${example}.`,
    });
  }
  const given = Object.keys(isObject(value) ? value : {});
  const body = withMistaken(given, known, "field", () =>
    validate(rule.json, value ?? (value === null ? null : {})),
  );
  if (!isReviewed(route) || !isObject(value)) return { body, warnings: [] };
  // A tool of the MCP server, and who repeats the address, says the same twice.
  const others = given.filter(
    (name) => request.pathParameters[name] !== value[name] || value[name] === undefined,
  );
  const ofQuery = route.query === undefined ? [] : parameterNamesOf(route.query);
  const meant = route.refusedFields;
  return {
    body,
    warnings: [
      ...reviewNames({ kind: "field", given: others, known: [...known, ...ofQuery], meant }),
      ...warnAboutInvisibleCharacters(value, body as object),
    ],
  };
}

/** Names in the refusal of what is missing the other name by which it may have come. */
export function withMistaken<Result>(
  given: readonly string[],
  known: readonly string[],
  kind: string,
  read: () => Result,
): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { field, parameter } = error.details;
    const missing = String(field ?? parameter ?? "");
    const mistaken = given.includes(missing) ? undefined : findMistaken(missing, given, known);
    if (mistaken === undefined) throw error;
    const shown = mistaken.slice(0, 100);
    const hint = `There is no ${kind} ${JSON.stringify(shown)} here: send it as ${JSON.stringify(missing)}${wayOf(shown, missing)}.`;
    throw error.saying(`${error.message} ${hint}`);
  }
}

/** Where the caller finds what there is, by what a row is about. */
const whereToLook: Partial<Record<Route["resource"], string>> = {
  drops: "There is no such drop of yours. GET /api/drops lists them; it may have been deleted.",
  versions:
    "There is no such drop or version of yours. GET /api/drops lists the drops, GET /api/drops/{slug}/versions the versions.",
  blobs: "There is no such file of yours: the id is the last part of its url. It may have been deleted.",
  tokens: "There is no such token of yours. GET /api/tokens lists them: the id is meant, not the token.",
};

/** A refusal with where to look, where nothing is said but that there is nothing. */
export function withRouteHints({ caller, resource }: Route, error: ApiError): ApiError {
  const words = whereToLook[resource];
  const isBare = error.code === "not_found" && error.message === errorCatalog.not_found.message;
  return isBare && caller === "token" && words !== undefined ? error.saying(words) : error;
}

/** Of some other names, more is known than that they are wrong. */
function wayOf(given: string, missing: string): string {
  if (missing === "html" && /^(markdown|md)$/i.test(given)) {
    return ", rendered, or as the body itself with Content-Type: text/markdown";
  }
  if (missing === "token") return `, ?token=<poll_token>`;
  return "";
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

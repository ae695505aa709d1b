import * as z from "zod/mini";
import type { $ZodType, output } from "zod/v4/core";
import { ApiError, errorCatalog } from "./errors.ts";
import { nearestName, normalizeName } from "./nearest-name.ts";
import type { RawQuery } from "./query.ts";
import type { MeantNames } from "./rejected-fields.ts";
import type { HttpResponse } from "./response.ts";
import type { Route } from "./route.ts";
import { acceptedBy, schema } from "./schemas.ts";
import { validate } from "./validation.ts";

/** Additional field of successful JSON responses: docs/adr/0056-error-hints.md. */
export const warningsAddition = /* @__PURE__ */ schema(() =>
  z.object({ warnings: z.optional(z.array(z.string())) }),
);

/** Selects the rows whose calls are checked for likely mistakes. */
export function isReviewed({
  errorsAs,
  path,
  servedBy,
}: Pick<Route, "errorsAs" | "path" | "servedBy">): boolean {
  return errorsAs === "json" && path.startsWith("/api/") && servedBy === undefined;
}

/** Adds warnings to those of a JSON response. Errors and other responses stay as they are. */
export function withWarnings(response: HttpResponse, warnings: readonly string[]): HttpResponse {
  const { body, headers, status } = response;
  const isJson = typeof body === "string" && headers["content-type"]?.startsWith("application/json") === true;
  if (warnings.length === 0 || status >= 300 || !isJson) return response;
  const { warnings: before = [], ...rest } = JSON.parse(body) as { readonly warnings?: readonly string[] };
  return { ...response, body: JSON.stringify({ ...rest, warnings: [...before, ...warnings] }) };
}

/** A field of a JSON body, or a parameter of a query. */
export interface NamedField {
  readonly name: string;
  readonly isRequired: boolean;
}

interface ObjectDefinition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, $ZodType>>;
}

/** The fields of a body that is an object; none of one whose rule is code of ours. */
export function fieldsOf(schema: $ZodType): readonly NamedField[] {
  const { type, shape = {} } = schema._zod.def as unknown as ObjectDefinition;
  if (type !== "object") return [];
  return Object.entries(shape).map(([name, field]) => ({
    name,
    isRequired: field._zod.optin !== "optional",
  }));
}

/** The parameters of a query: `metadata` stands for every `metadata.<key>`. */
export function parametersOf(schema: $ZodType): readonly NamedField[] {
  const { properties = {}, required = [] } = (acceptedBy(schema) ?? {}) as {
    readonly properties?: object;
    readonly required?: readonly string[];
  };
  return Object.keys(properties).map((name) => ({ name, isRequired: required.includes(name) }));
}

/** The same, by their names alone. */
export function parameterNamesOf(schema: $ZodType): readonly string[] {
  return parametersOf(schema).map(({ name }) => name);
}

/** Example of a body: the required fields, or else the first optional one. */
export function exampleOf(schema: $ZodType): string {
  const fields = fieldsOf(schema);
  const required = fields.filter(({ isRequired }) => isRequired);
  // An edit names html only to refuse it.
  const named = required.length > 0 ? required : fields.filter(({ name }) => name !== "html").slice(0, 1);
  return `{${named.map(({ name }) => `"${name}": …`).join(", ")}}`;
}

/** Given and known names. */
interface GivenNames {
  readonly kind: "field" | "query parameter";
  readonly given: readonly string[];
  readonly known: readonly string[];
  readonly meant?: readonly MeantNames[] | undefined;
}

/** By these somebody is kept out: a misspelled one must not let everybody in. */
const restricting = ["passcode", "visibility", "readers"];

/** Limits of what a message repeats of given names: characters of a name, and number of warnings. */
const shownCharactersMax = 100;
const warningsMax = 10;

/** Each takes a look at all that is known: of so many that nobody means anything by them, none is looked at. */
const unknownMax = 100;

/**
 * Warns about unknown names, which are ignored.
 *
 * @throws ApiError for the first name by which the caller means something that would be dropped; it names the
 * right call
 */
export function reviewNames({ kind, given, known, meant = [] }: GivenNames): string[] {
  const unknown = given.filter((name) => !known.includes(name));
  if (unknown.length > unknownMax) {
    throw new ApiError("invalid_arg", {
      message: `${unknown.length} unknown ${kind}s. At most ${unknownMax} are ignored, so the request was refused. ${knownNames(kind, known)}`,
    });
  }
  const detail = kind === "field" ? "field" : "parameter";
  const warnings = unknown.map((name) => {
    const shown = name.slice(0, shownCharactersMax);
    const lead = `Unknown ${kind} ${JSON.stringify(shown)}`;
    const found = meant.find(({ names }) => names.includes(normalizeName(name)));
    if (found?.isHarmless) return `${lead} was ignored. ${found.way}`;
    if (found !== undefined) {
      throw new ApiError(found.code ?? "invalid_arg", {
        message: `${lead}. The request was refused. ${found.way}`,
        details: { [detail]: shown },
      });
    }
    const nearest = nearestName(name, known);
    if (nearest !== undefined && restricting.includes(nearest)) {
      throw new ApiError("invalid_arg", {
        message: `${lead}. The request was refused. Did you mean ${JSON.stringify(nearest)}?`,
        details: { [detail]: shown, did_you_mean: nearest },
      });
    }
    const way = nearest === undefined ? knownNames(kind, known) : `Did you mean ${JSON.stringify(nearest)}?`;
    return `${lead} was ignored. ${way}`;
  });
  return warnings.slice(0, warningsMax);
}

/** Lists the names that a call knows. */
function knownNames(kind: GivenNames["kind"], known: readonly string[]): string {
  return known.length === 0 ? `This call has no ${kind}s.` : `Known ${kind}s: ${known.join(", ")}.`;
}

/** Finds the given name that may stand for a missing field or parameter. */
export function findMistaken(
  missing: string,
  given: readonly string[],
  known: readonly string[],
): string | undefined {
  return given
    .slice(0, unknownMax)
    .find((name) => !known.includes(name) && nearestName(name, [missing]) === missing);
}

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
 * Warns about unknown query parameters.
 *
 * @throws ApiError for one by which the caller means something that would be dropped
 */
export function reviewParameters(route: Route, given: readonly string[]): readonly string[] {
  const { query, body, refusedParameters } = route;
  const known = query === undefined ? [] : parameterNamesOf(query);
  const others = given.filter((name) => !(known.includes("metadata") && name.startsWith("metadata.")));
  const pageSchema = typeof body === "object" ? body.page : undefined;
  if (pageSchema !== undefined) refuseBesideJson(others, parameterNamesOf(pageSchema));
  return reviewNames({ kind: "query parameter", given: others, known, meant: refusedParameters });
}

/** Refuses query parameters that describe a page in the body when the body is JSON. */
function refuseBesideJson(given: readonly string[], ofPage: readonly string[]): void {
  const name = given.find((one) => ofPage.includes(one) || one.startsWith("metadata."));
  if (name === undefined) return;
  const shown = name.slice(0, 100);
  const isTag = name.startsWith("metadata.");
  const way = isTag
    ? `To publish to the drop with this tag, or a new one: PUT /api/drops?${shown}=…; to tag a new drop, send metadata in the body.`
    : "With a JSON body, send it as a field of the body.";
  throw new ApiError("invalid_arg", {
    message: `The query parameter ${JSON.stringify(shown)} cannot be combined with a JSON body. ${way}`,
    details: { parameter: shown },
  });
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
    const hint = `Unknown ${kind} ${JSON.stringify(shown)}: send it as ${JSON.stringify(missing)}${wayOf(shown, missing)}.`;
    throw error.saying(`${error.message} ${hint}`);
  }
}

/** Advice for not_found errors, by resource. */
const whereToLook: Partial<Record<Route["resource"], string>> = {
  drops: "You have no such drop: it may have been deleted. GET /api/drops lists your drops.",
  versions:
    "You have no such drop or version. GET /api/drops lists your drops, GET /api/drops/{slug}/versions their versions.",
  blobs: "You have no such file: it may have been deleted. The id is the last part of its url.",
  tokens:
    "You have no such token. GET /api/tokens lists your tokens with their ids. Send the id, not the token.",
};

/** A refusal with where to look, where nothing is said but that there is nothing. */
export function withRouteHints({ caller, resource }: Route, error: ApiError): ApiError {
  const words = whereToLook[resource];
  const isBare = error.code === "not_found" && error.message === errorCatalog.not_found.message;
  return isBare && caller === "token" && words !== undefined ? error.saying(words) : error;
}

/** Further advice for some given names. */
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

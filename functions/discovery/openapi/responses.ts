import { exampleAnswersCsv } from "../../answers/openapi.ts";
import { ApiError, type ErrorCode, errorCatalog } from "../../core/errors.ts";
import type { OperationExample } from "../../core/openapi.ts";
import type { DocumentSite } from "../../core/written-site.ts";
import { exampleContext, exampleDiff, exampleHtml, exampleMarkdown } from "../../drops/openapi.ts";
import { type ContentKind, type ResponseRule, type Route, requestHeaderErrors } from "../../http/route.ts";
import { isReviewed, warningsAddition } from "../../http/warnings.ts";
import { ingestOperationIds } from "../../ingest/rows.ts";
import { operationIds, routeOf } from "../../routes.ts";
import { bareType } from "../documents.ts";
import { schemaReference } from "./component-schemas.ts";
import { defined, type JsonObject, reference } from "./json.ts";
import { acceptedHeaders, errorHeaders, successHeaders } from "./response-headers.ts";

/** Describes an operation's responses by status: the success response, and all errors. */
export function responsesOf(route: Route, example: OperationExample, site: DocumentSite): JsonObject {
  const good = defined({
    description: goodDescription(route),
    headers: successHeaders(route),
    content: goodContent(route, example, site),
  });
  const alsoGood = alsoGoodOf(route, good, example);
  return { [route.response.status]: good, ...alsoGood, ...furtherOf(route), ...errors(route) };
}

function alsoGoodOf(route: Route, good: JsonObject, { accepted }: OperationExample): JsonObject {
  const { response } = route;
  if (!("alsoStatus" in response) || response.alsoStatus === undefined) return {};
  if (response.alsoStatus === 202) {
    const json = "json" in response ? response.json : response.pendingJson;
    const description = "In progress. Wait as many seconds as Retry-After says, then call again.";
    const media = json && defined({ schema: schemaOf(route, { ...response, json }), example: accepted });
    const content = media ? { "application/json": media } : alsoContent("html");
    return { 202: { description, headers: acceptedHeaders(route), content } };
  }
  return { [response.alsoStatus]: "json" in response ? good : { description: elsewhere } };
}

const elsewhere = "Redirect to the URL in Location.";

/** Retry-After values of the example errors. */
const exampleWaits: Partial<Record<ErrorCode, { readonly retryAfterSeconds: number }>> = {
  rate_limited: { retryAfterSeconds: 17 },
  daily_quota_exceeded: { retryAfterSeconds: 40_210 },
  unavailable: { retryAfterSeconds: 1 },
};

/** Builds `components.examples`, with an example response for each error code. */
export function errorExamples(): Record<string, JsonObject> {
  const codes = Object.keys(errorCatalog) as ErrorCode[];
  return Object.fromEntries(
    codes.map((code) => [code, { value: new ApiError(code, exampleWaits[code]).toBody() }]),
  );
}

function goodDescription({ response, countsAsWrite, summary }: Route): string {
  if (response.status === 204) return "Done.";
  if (response.status === 302 || response.status === 303) return elsewhere;
  return countsAsWrite ? "Done. Every later read shows the change." : `${summary}.`;
}

function goodContent(
  route: Route,
  { response: value }: OperationExample,
  site: DocumentSite,
): JsonObject | undefined {
  const { response } = route;
  if ("json" in response) {
    const example = value === undefined ? servedExample(route, site) : { example: value };
    return {
      "application/json": { schema: schemaOf(route, response), ...example },
      ...(response.alsoAs ? alsoContent(response.alsoAs) : {}),
    };
  }
  if (!("content" in response)) return undefined;
  const schema = schemasOfContent[response.content] ?? { type: "string" };
  const example = exampleContents[route.id] ?? exampleContents[response.content];
  const isOfAll = route.host !== "owner" && !route.path.includes("{");
  const isFixed = route.method === "GET" && isOfAll && route.query === undefined;
  return {
    [bareType(response.content)]: {
      schema,
      ...(isFixed ? servedExample(route, site) : defined({ example })),
    },
    ...(response.alsoAs ? alsoContent(response.alsoAs) : {}),
  };
}

function alsoContent(kind: ContentKind): JsonObject {
  return { [bareType(kind)]: { schema: schemasOfContent[kind] ?? { type: "string" } } };
}

function schemaOf(
  route: Route,
  { json, additions }: Pick<Extract<ResponseRule, { json: unknown }>, "json" | "additions">,
): JsonObject {
  const parts = [json, additions, isReviewed(route) ? warningsAddition : undefined];
  const [schema = {}, ...others] = parts.flatMap((one) => (one === undefined ? [] : [schemaReference(one)]));
  return others.length === 0 ? schema : { allOf: [schema, ...others] };
}

const schemasOfContent: Partial<Record<ContentKind, JsonObject>> = {
  bytes: {},
  json: { type: "object" },
  linkset: { type: "object" },
  pdf: {},
  picture: {},
};

/** Example contents, by operation id or by kind of content. Bytes have no example, because JSON cannot contain them. */
const exampleContents: Readonly<Record<string, string | undefined>> = {
  "compare-versions": exampleDiff,
  "read-html": exampleHtml,
  "read-raw-page": exampleHtml,
  "read-source": exampleMarkdown,
  csv: exampleAnswersCsv,
  atom: '<feed xmlns="http://www.w3.org/2005/Atom"><title>Pages of an owner</title></feed>',
  html: '<!doctype html><html lang="en"><title>A page of the service</title>',
  text: exampleContext,
};

/** Builds an example that refers to the operation's own URL. */
function servedExample({ path }: Route, { baseUrl }: DocumentSite): JsonObject {
  return { examples: { served: { summary: "The document on this service", externalValue: baseUrl + path } } };
}

/** Describes an operation's further success responses, for example to range requests and conditional requests. */
function furtherOf({ id, servedBy, resource }: Route): JsonObject {
  if (resource === "mcp") return { 202: { description: "A notification was accepted." } };
  if (servedBy === "bucket") return inRanges("*/*", {}, "file");
  if (id === "read-folder-file") return { ...inRanges("*/*", {}, "file"), 308: { description: elsewhere } };
  if (id === "read-html") return inRanges(bareType("html"), { type: "string" }, "page");
  if (id === "read-source") return inRanges(bareType("markdown"), { type: "string" }, "Markdown");
  return {};
}

function inRanges(type: string, schema: JsonObject, what: string): JsonObject {
  return {
    206: { description: "The requested range.", content: { [type]: { schema } } },
    304: { description: `The ${what} has not changed since the version that the request names.` },
  };
}

function errors(route: Route): JsonObject {
  const byStatus = Object.groupBy(codesOf(route), (code) => errorCatalog[code].status);
  const described = Object.entries(byStatus).map(([status, codes = []]) => [
    status,
    errorResponse(route, Number(status), codes),
  ]);
  const tooLarge = tooLargeCodes(route);
  return {
    ...Object.fromEntries(described),
    ...(route.resource === "mcp"
      ? {
          401: challengeResponse(route, 401, ["unauthorized"]),
          403: challengeResponse(route, 403, ["forbidden", "insufficient_scope"]),
        }
      : {}),
    ...(tooLarge.length > 0 ? { 413: errorResponse(route, 413, tooLarge) } : {}),
    ...(route.id === "read-html" || route.id === "read-source"
      ? { 416: errorResponse(route, 416, ["invalid_arg"]) }
      : {}),
  };
}

/**
 * Describes a response with an authentication challenge. For a tool call, the tool result repeats the challenge, because some clients read
 * it there.
 */
function challengeResponse({ response }: Route, status: number, codes: readonly ErrorCode[]): JsonObject {
  const { content, ...refusal } = writeErrorResponse("json", status, codes) as {
    readonly content: Readonly<Record<string, { readonly schema: JsonObject }>>;
  };
  const result = "json" in response ? [schemaReference(response.json)] : [];
  const forms = Object.entries(content).map(([type, { schema, ...media }]) => [
    type,
    { ...media, schema: { anyOf: [schema, ...result] } },
  ]);
  return { ...refusal, content: Object.fromEntries(forms) };
}

/**
 * Returns an operation's own error codes, the codes for its headers, and the codes that every operation can return, for example because the
 * gateway limits requests.
 */
function codesOf(route: Route): readonly ErrorCode[] {
  const { errors: own, headers = [], servedBy, grants, caller, method } = route;
  if (servedBy === "bucket") return own;
  const ofHeaders = headers.flatMap((name) => requestHeaderErrors[name]);
  const fromAny: ErrorCode[] = ["rate_limited", "internal_error", "unavailable"];
  const ofCaller: ErrorCode[] = caller === "token" ? ["forbidden"] : [];
  const ofScope: ErrorCode[] = caller === "token" && method !== "GET" ? ["insufficient_scope"] : [];
  const ofSignIn: ErrorCode[] = grants.secrets?.includes("identityProvider") ? ["idp_unavailable"] : [];
  return [...new Set([...own, ...ofHeaders, ...ofCaller, ...ofScope, ...fromAny, ...ofSignIn])];
}

/**
 * Returns the codes for a body that is too large. The gateway, or an edge without an ingest server, refuses such a body before a function
 * runs.
 */
function tooLargeCodes({ id, body, path }: Route): readonly ErrorCode[] {
  if (body === undefined) return [];
  const isAtIngest = ingestOperationIds.some((operation) => operation === id);
  if (!isAtIngest) return ["invalid_arg"];
  return ["invalid_arg", path.startsWith("/api/blobs") ? "blob_too_large" : "html_too_large"];
}

/** Describes an error response of an operation. Refers to `components.responses` if the response is shared. */
function errorResponse(route: Route, status: number, codes: readonly ErrorCode[]): JsonObject {
  const [code, ...others] = codes;
  const isShared = code !== undefined && others.length === 0 && status === errorCatalog[code].status;
  return isShared
    ? reference("responses", sharedName(code, route.errorsAs))
    : writeErrorResponse(route.errorsAs, status, codes);
}

/** Builds `components.responses`: the error response of each code, in each format that operations use. */
export function sharedResponses(): Record<string, JsonObject> {
  const forms = [...new Set(operationIds.map((id) => routeOf(id).errorsAs))];
  const codes = Object.keys(errorCatalog) as ErrorCode[];
  return Object.fromEntries(
    forms.flatMap((form) =>
      codes.map((code) => [
        sharedName(code, form),
        writeErrorResponse(form, errorCatalog[code].status, [code]),
      ]),
    ),
  );
}

function sharedName(code: ErrorCode, form: Route["errorsAs"]): string {
  return form === "json" ? code : `${code}.${form}`;
}

function writeErrorResponse(
  form: Route["errorsAs"],
  status: number,
  codes: readonly ErrorCode[],
): JsonObject {
  const json = {
    "application/json": {
      schema: reference("schemas", "Error"),
      examples: Object.fromEntries(codes.map((code) => [code, reference("examples", code)])),
    },
  };
  const html = { "text/html": { schema: { type: "string" } } };
  return {
    description: codes.map((code) => `\`${code}\``).join(", "),
    headers: errorHeaders(status),
    content: { json, page: { ...html, ...json }, negotiated: { ...json, ...html } }[form],
  };
}

import { startUploadBody } from "../blobs/schemas.ts";
import { ApiError, joinMessages } from "../core/errors.ts";
import type { McpTool } from "../core/mcp-tool.ts";
import { type HttpRequest, wholeBody } from "../http/request.ts";
import type { Route } from "../http/route.ts";
import { describe, fieldNamesOf, isObject, mustBe, quote, shownCharactersMax } from "../http/schemas.ts";
import { explainNames, findMeantName, refusalOf, sentencesOf } from "../http/unknown-names.ts";
import { attempt, validate } from "../http/validation.ts";
import { namesInPath } from "../refusals/expected-call.ts";

/** Arguments of a tool call: the operation's parameters and body fields, by the names that the tool uses. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** Hints for missing path parameters. Each hint names the tool that lists the parameter's values. */
const whereFound: Readonly<Record<string, string>> = {
  slug: "list_drops lists your drops with their slugs, and search_drops with {q} finds one by its words.",
  id: "list_blobs lists your files with their ids; start_upload returns the id of an upload.",
  thread: "list_feedback returns the slug and thread of each comment.",
  version: "list_versions lists the versions of a drop.",
};

/** Renames a tool's arguments to the operation's parameter names, and adds the arguments that have a fixed value. */
export function toParameters({ names = {}, app }: McpTool, given: ToolArguments): ToolArguments {
  if (typeof app === "object") return { ...given, ...app.fixed };
  const renamed = Object.entries(names).map(([parameter, argument]) => [parameter, given[argument]] as const);
  const known = renamed.filter(([, value]) => value !== undefined);
  if (known.length === 0) return given;
  const others = Object.entries(given).filter(([name]) => !Object.values(names).includes(name));
  return Object.fromEntries([...others, ...known]);
}

/**
 * Refuses a call without a path parameter. The error names the arguments that were probably meant as this parameter.
 *
 * @throws ApiError `invalid_slug`, or a similar code
 */
export function requirePathArguments({ names: own = {} }: McpTool, route: Route, given: ToolArguments): void {
  const parameters = namesInPath(route);
  const toName = (parameter: string) => own[parameter] ?? parameter;
  const missing = parameters.filter(
    (parameter) => (given[toName(parameter)] ?? given[parameter] ?? "") === "",
  );
  const [first] = missing;
  if (first === undefined) return;
  const code = route.errors.find((one) => one === `invalid_${first}`) ?? "invalid_arg";
  const names = missing.map(toName);
  const ofBody = typeof route.body === "object" ? fieldNamesOf(route.body.json) : [];
  const known = [...parameters.map(toName), ...fieldNamesOf(route.query), ...ofBody];
  const standing = explainNames({ kind: "argument", given: Object.keys(given), known, missing: names });
  throw new ApiError(code, {
    message: joinMessages([
      ...names.map((one) => `${one} is required.`),
      ...(parameters.includes("thread") ? ["thread"] : names).map((one) => whereFound[one] ?? ""),
      ...sentencesOf("argument", standing),
    ]),
    details: { field: toName(first) },
  });
}

/** Refuses arguments that a tool of the page in the chat does not declare. @throws ApiError `invalid_arg` */
export function requireAppArguments({ app }: McpTool, given: ToolArguments): void {
  if (typeof app !== "object") return;
  const names = { given: Object.keys(given), known: app.arguments, intents: [], calls: {} };
  const unknown = explainNames({ kind: "argument", ...names });
  if (unknown.length > 0) throw refusalOf("argument", unknown);
}

/**
 * CloudFront's maximum length of path and query; see "Quotas", CloudFront developer guide. The limit also bounds error messages, because
 * they repeat values of the query.
 */
const addressCharactersMax = 8_192;

/**
 * Converts a tool call to a request to the tool's operation, from the same caller. The operation validates the values. This function
 * refuses only values that a request cannot express.
 *
 * @throws ApiError `invalid_arg`, or another code of the operation
 */
export function toToolRequest(route: Route, given: ToolArguments, outer: HttpRequest): HttpRequest {
  const pathParameters = Object.fromEntries(namesInPath(route).map((name) => [name, toText(given[name])]));
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(pathParameters[name]).toWellFormed()),
  );
  const rawQuery = new URLSearchParams(queryOf(route, given)).toString();
  requireAddress(path, rawQuery);
  const { bytes, contentType } = bodyOf(route, given);
  return {
    ...outer,
    ...wholeBody(bytes),
    isToolCall: true,
    method: route.method,
    path,
    headers: {
      // Passes on the caller's token, but no other header.
      authorization: outer.headers.authorization ?? [],
      "content-type": [contentType],
    },
    rawQuery,
    pathParameters,
  };
}

function isInPath({ path }: Route, name: string): boolean {
  return path.includes(`{${name}}`);
}

function requireAddress(path: string, rawQuery: string): void {
  const characters = path.length + rawQuery.length;
  if (characters <= addressCharactersMax) return;
  const message = `The arguments result in an address of ${characters} characters; at most ${addressCharactersMax} are allowed.`;
  throw new ApiError("invalid_arg", { message, details: { characters_max: addressCharactersMax } });
}

/**
 * Builds the query parameters. The object `metadata` becomes one parameter `metadata.<key>` per key. Includes unknown arguments if the call
 * has no body or if they resemble a parameter, so that the operation refuses them and suggests the right name.
 */
function queryOf(route: Route, given: ToolArguments): string[][] {
  if (route.query === undefined && route.body !== undefined) return [];
  const known = fieldNamesOf(route.query);
  const fields = [...known, ...(typeof route.body === "object" ? fieldNamesOf(route.body.json) : [])];
  const mistaken = Object.keys(given).filter((name) => {
    return !fields.includes(name) && known.includes(findMeantName(name, fields) ?? "");
  });
  const isOfQuery = (name: string) => !isInPath(route, name) && !contentArguments.includes(name);
  const names =
    typeof route.body === "object" ? [...known, ...mistaken] : Object.keys(given).filter(isOfQuery);
  return names.flatMap((name) => {
    const value = given[name];
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value.map((one): [string, string] => [name, toText(one)]);
    if (name !== "metadata") return [[name, toText(value)]];
    return filtersOf(value).map(([key, text]) => [`${name}.${key}`, text]);
  });
}

function filtersOf(value: unknown): [string, string][] {
  const isMap = isObject(value);
  return Object.entries(isMap ? value : { "": value }).map(([key, text]) => {
    if (isMap && typeof text === "string") return [key, text];
    const name = isMap ? `metadata.${key.slice(0, 100)}` : "metadata";
    const message = `${name} ${mustBe(isMap ? "a string" : "an object of strings", describe(text))}`;
    throw new ApiError("invalid_arg", { message, details: { field: name } });
  });
}

/** Builds the body. A JSON body has all arguments that are not in the path. The operation refuses unknown arguments. */
function bodyOf(route: Route, given: ToolArguments): Content {
  if (route.body === "bytes") return readFileContent(given);
  const fields = Object.entries(given).filter(([name]) => !isInPath(route, name));
  const bytes = Buffer.from(route.body === undefined ? "" : toJson(Object.fromEntries(fields)));
  return { bytes, contentType: "application/json" };
}

/** Returns a string unchanged, a number as its digits, and any other value as JSON, which the operation refuses. */
function toText(value: unknown): string {
  return typeof value === "string" ? value : toJson(value);
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw new ApiError("invalid_arg", { message: "The arguments are nested too deeply.", cause });
  }
}

/** Content and media type of a request's body. */
interface Content {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** Arguments that contain a file or its media type, and are not part of the query. */
const contentArguments: readonly string[] = ["text", "base64", "content_type"];

/**
 * Reads the file from `text` or `base64`. Validates `content_type` before the upload sends it as a header, because invalid headers cannot
 * be sent.
 *
 * @throws ApiError `invalid_arg`, `invalid_filename`, `empty_blob` or `blob_too_large`
 */
function readFileContent(given: ToolArguments): Content {
  const { text, base64, filename, content_type } = given;
  const needsName = typeof filename === "string" ? "" : " The call also needs a filename, such as chart.png.";
  const known = [...contentArguments, ...fieldNamesOf(startUploadBody)];
  const mistaken = Object.keys(given).find(
    (name) => !known.includes(name) && contentArguments.includes(findMeantName(name, known) ?? ""),
  );
  if (mistaken !== undefined) {
    throw new ApiError("invalid_arg", {
      message: `Unknown argument ${quote(mistaken)}. Nothing was uploaded. Give the file's content either as text or as base64, without data:…;base64 before it, and its media type as content_type.${needsName}`,
      details: { field: mistaken.slice(0, shownCharactersMax) },
    });
  }
  if ((text === undefined) === (base64 === undefined)) {
    const sent = text === undefined ? "neither" : "both";
    const named = Object.keys(given).find((name) => !known.includes(name));
    const unknown =
      named === undefined
        ? ""
        : ` Unknown argument ${quote(named)}. No tool reads files on your machine or fetches URLs: read the file yourself, or call start_upload to get a URL to send it to.`;
    throw new ApiError("invalid_arg", {
      message: `Give the file's content either as text or as base64. You sent ${sent}.${needsName}${unknown}`,
      details: { field: "text" },
    });
  }
  const bytes = text === undefined ? fromBase64(base64) : fromText(text);
  const sent = { filename, content_type, size_bytes: bytes.byteLength };
  const { result, fault } = attempt(() => validate(startUploadBody, sent));
  if (fault === undefined) return { bytes, contentType: result.content_type ?? "" };
  const names = { kind: "argument", given: Object.keys(given), known, missing: fault.missing } as const;
  throw fault.withFurther(sentencesOf("argument", explainNames(names)));
}

function fromText(value: unknown): Uint8Array {
  if (typeof value === "string" && value.isWellFormed()) return Buffer.from(value);
  throw invalid("text", "a string of well-formed Unicode");
}

/** Decodes base64 with or without padding. Refuses base64 that is not canonical, because other decoders may decode it differently. */
function fromBase64(value: unknown): Uint8Array {
  const bytes = typeof value === "string" ? Buffer.from(value, "base64") : undefined;
  const written = bytes?.toString("base64");
  if (bytes && (value === written || value === written?.replace(/={1,2}$/, ""))) return bytes;
  throw invalid(
    "base64",
    "base64 alone, without `data:…;base64,` before it and without line breaks (RFC 4648, section 4)",
  );
}

function invalid(field: string, expected: string): ApiError {
  return new ApiError("invalid_arg", { message: `${field} must be ${expected}.`, details: { field } });
}

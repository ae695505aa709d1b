import { startUploadBody } from "../blobs/schemas.ts";
import { ApiError, joinMessages } from "../core/errors.ts";
import { namesInPath } from "../http/expected-call.ts";
import type { McpTool } from "../http/mcp-tool.ts";
import { type HttpRequest, wholeBody } from "../http/request.ts";
import type { Route } from "../http/route.ts";
import { describe, fieldNamesOf, isObject, mustBe, quote, shownCharactersMax } from "../http/schemas.ts";
import { explainNames, findMeantName, refusalOf, sentencesOf } from "../http/unknown-names.ts";
import { attempt, validate } from "../http/validation.ts";

/** The arguments of a tool call: the parameters and body fields of its operation, by the tool's names. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** Tools that list the values for a path parameter. */
const whereFound: Readonly<Record<string, string>> = {
  slug: "list_drops lists your drops with their slugs, and search_drops with {q} finds one by its words.",
  id: "list_blobs lists your files with their ids; start_upload gives the id of an upload.",
  thread: "list_feedback has the slug and thread of each comment.",
  version: "list_versions lists the versions of a drop.",
};

/** The arguments by the names in the operation's row, with the fixed ones. */
export function toParameters({ names = {}, app }: McpTool, given: ToolArguments): ToolArguments {
  if (typeof app === "object") return { ...given, ...app.fixed };
  const renamed = Object.entries(names).map(([parameter, argument]) => [parameter, given[argument]] as const);
  const known = renamed.filter(([, value]) => value !== undefined);
  if (known.length === 0) return given;
  const others = Object.entries(given).filter(([name]) => !Object.values(names).includes(name));
  return Object.fromEntries([...others, ...known]);
}

/**
 * Refuses a call without a path parameter, and names an argument that may mean it.
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

/**
 * Refuses other arguments than those of a tool that the page in the chat calls.
 *
 * @throws ApiError `invalid_arg`
 */
export function requireAppArguments({ app }: McpTool, given: ToolArguments): void {
  if (typeof app !== "object") return;
  const names = { given: Object.keys(given), known: app.arguments, intents: [], calls: {} };
  const unknown = explainNames({ kind: "argument", ...names });
  if (unknown.length > 0) throw refusalOf("argument", unknown);
}

/** CloudFront's limit of path and query; developer guide, "Quotas". Longer errors would repeat longer values. */
const addressCharactersMax = 8_192;

/**
 * The request of a tool's operation, as the same caller would send it. The operation checks the parts; only values that a request cannot
 * express are refused here.
 *
 * @throws ApiError `invalid_arg`, or another code of the row
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
      // The caller's token, and no other header of the message.
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
 * A parameter that is an object stands for several, `<name>.<key>`. Unknown arguments are included if the call has no body, or if they seem
 * to mean a parameter: the operation refuses them and names the right one.
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

/** All arguments except those in the path, if the body is JSON. The operation reports unknown ones. */
function bodyOf(route: Route, given: ToolArguments): { bytes: Uint8Array; contentType: string } {
  if (route.body === "bytes") return readFileContent(given);
  const fields = Object.entries(given).filter(([name]) => !isInPath(route, name));
  const bytes = Buffer.from(route.body === undefined ? "" : toJson(Object.fromEntries(fields)));
  return { bytes, contentType: "application/json" };
}

/** A text unchanged, or any other value as JSON. A number becomes its digits; other values become invalid slugs or choices. */
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

/** The content of a file that was sent as an argument, and its type. */
interface FileContent {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** Arguments that are not in the address: the content of a file and its type. */
const contentArguments: readonly string[] = ["text", "base64", "content_type"];

/**
 * Reads `text` or `base64`, and the `content_type` by the rules of an upload in steps, since a request could not send an invalid header.
 *
 * @throws ApiError `invalid_arg`, `invalid_filename`, `empty_blob` or `blob_too_large`
 */
function readFileContent(given: Readonly<Record<string, unknown>>): FileContent {
  const { text, base64, filename, content_type } = given;
  const needsName = typeof filename === "string" ? "" : " It also needs a filename, such as chart.png.";
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
        : ` Unknown argument ${quote(named)}. No tool reads files of your machine or fetches addresses: read the file yourself, or let start_upload give an address to send it to.`;
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

/** With or without padding. Text that is not canonical base64 is refused, since other decoders would read it differently. */
function fromBase64(value: unknown): Uint8Array {
  const bytes = typeof value === "string" ? Buffer.from(value, "base64") : undefined;
  const written = bytes?.toString("base64");
  if (bytes && (value === written || value === written?.replace(/={1,2}$/, ""))) return bytes;
  throw invalid(
    "base64",
    "base64 alone, without `data:…;base64,` before it and without line ends (RFC 4648, section 4)",
  );
}

function invalid(field: string, expected: string): ApiError {
  return new ApiError("invalid_arg", { message: `${field} must be ${expected}.`, details: { field } });
}

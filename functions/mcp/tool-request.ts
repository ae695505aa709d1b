import { ApiError } from "../contract/api-error.ts";
import { edgeHeaders } from "../contract/environment.ts";
import { acceptedBy } from "../contract/json-schema.ts";
import { describe } from "../contract/metadata-schema.ts";
import type { Route } from "../contract/route.ts";
import { wholeBody } from "../http/carried-request.ts";
import type { HttpRequest } from "../http/request.ts";
import { readFileContent } from "./file-content.ts";

/** The arguments of a tool call: the parameters and the body's fields of its operation, by their names there. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** What the inner request has of the outer one: who asks, and that the edge let it through. */
const keptHeaders = ["authorization", edgeHeaders.originSecret];

/** What CloudFront takes of path and query; developer guide, "Quotas". What is told of bad ones is as long as they are. */
const addressCharactersMax = 8_192;

/**
 * The request of a tool's operation, as the same caller would send it. What is wrong with its parts the operation says;
 * only what no request can express is refused here.
 *
 * @throws ApiError `invalid_arg`, or another code of the row
 */
export function toToolRequest(route: Route, given: ToolArguments, outer: HttpRequest): HttpRequest {
  const pathParameters = Object.fromEntries(
    [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, toText(given[name] ?? "")]),
  );
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(pathParameters[name]).toWellFormed()),
  );
  const rawQuery = new URLSearchParams(queryOf(route, given)).toString();
  requireAddress(path, rawQuery);
  const { bytes, contentType } = bodyOf(route, given);
  return {
    ...outer,
    ...wholeBody(bytes),
    method: route.method,
    path,
    headers: {
      ...Object.fromEntries(keptHeaders.map((name) => [name, outer.headers[name] ?? []])),
      "content-type": [contentType],
    },
    rawQuery,
    pathParameters,
  };
}

function requireAddress(path: string, rawQuery: string): void {
  const characters = path.length + rawQuery.length;
  if (characters <= addressCharactersMax) return;
  const message = `The arguments make an address of ${characters} characters; at most ${addressCharactersMax} are allowed.`;
  throw new ApiError("invalid_arg", { message, details: { characters_max: addressCharactersMax } });
}

/** A parameter that is an object stands for several, `<name>.<key>`. */
function queryOf(route: Route, given: ToolArguments): string[][] {
  const rules = Object.keys((route.query && acceptedBy(route.query)?.properties) ?? {});
  return rules.flatMap((name) => {
    const value = given[name];
    if (value === undefined || value === null) return [];
    if (name !== "metadata") return [[name, toText(value)]];
    return filtersOf(value).map(([key, text]) => [`${name}.${key}`, text]);
  });
}

function filtersOf(value: unknown): [string, string][] {
  const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
  const entries = Object.entries(isMap ? value : { "": value });
  for (const [key, text] of entries) {
    if (isMap && typeof text === "string") continue;
    const name = isMap ? `metadata.${key.slice(0, 100)}` : "metadata";
    const message = `${name} must be ${isMap ? "a string" : "an object of strings"}, but ${describe(text)} came.`;
    throw new ApiError("invalid_arg", { message, details: { field: name } });
  }
  return entries;
}

/** All that is given, where the body is JSON: what the body does not know of, the operation ignores. */
function bodyOf({ body }: Route, given: ToolArguments): { bytes: Uint8Array; contentType: string } {
  if (body === "bytes") return readFileContent(given);
  const bytes = Buffer.from(body === undefined ? "" : toJson(given));
  return { bytes, contentType: "application/json" };
}

/** A text as it is; anything else as JSON writes it, which is a number's text, and no slug or choice. */
function toText(value: unknown): string {
  return typeof value === "string" ? value : toJson(value);
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw new ApiError("invalid_arg", { message: "The arguments are nested too deep to be written.", cause });
  }
}

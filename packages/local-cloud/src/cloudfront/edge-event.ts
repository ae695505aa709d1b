import { type HeaderFields, type HttpRequest, headerValue, splitPair } from "../http-message.ts";
import type { EdgeRequest, EdgeResponse, EdgeValue, EdgeValues } from "./edge-function.ts";
import { cookiePairs, queryPairs } from "./selection.ts";

/** Thrown if the function returned a value that CloudFront refuses. The viewer then gets 502. */
export class EdgeValidationError extends Error {
  override readonly name = "FunctionValidationError";
}

/** Headers that functions do not receive and must not add; see "Restrictions on all edge functions", CloudFront developer guide. */
const disallowed =
  /^(connection|expect|keep-alive|proxy-(authenticate|authorization|connection)|trailer|upgrade|x-accel-.*|x-amz-cf-.*|x-amzn-(auth|cf-billing|cf-id|cf-xff|errortype|fle-profile|header-count|header-order|lambda-integration-tag|requestid)|x-cache|x-edge-.*|x-forwarded-proto|x-real-ip)$/;
const readOnlyInRequests = ["content-length", "host", "transfer-encoding", "via"];
const readOnlyInResponses = ["warning", "via"];

/** Converts the viewer's request to the request of an event. */
export function toEdgeRequest(request: HttpRequest): EdgeRequest {
  const cookies = cookiePairs(headerValue(request.headers, "cookie"));
  return {
    method: request.method,
    uri: request.path,
    querystring: fromPairs(queryPairs(request.query)),
    headers: fromHeaders(request.headers, "cookie"),
    cookies: fromPairs(cookies),
    rawQuery: request.query,
  };
}

/** Converts a response to the response of an event, without the body. */
export function toEdgeResponse(statusCode: number, headers: HeaderFields): EdgeResponse {
  const cookies = headers.filter(([name]) => name.toLowerCase() === "set-cookie").map(([, value]) => value);
  return {
    statusCode,
    headers: fromHeaders(headers, "set-cookie"),
    cookies: collect(
      cookies.map((cookie) => {
        const [pair = "", ...attributes] = cookie.split(/;\s*/);
        const [name, value] = splitPair(pair);
        return [name, { value, attributes: attributes.join("; ") }];
      }),
    ),
  };
}

/** Applies the changes that a viewer-request function made to the request. */
export function applyRequest(request: HttpRequest, given: EdgeRequest, returned: EdgeRequest): HttpRequest {
  if (returned.method !== given.method)
    throw new EdgeValidationError("the function changed the method, which is read-only");
  if (typeof returned.uri !== "string" || !returned.uri.startsWith("/")) {
    throw new EdgeValidationError(`uri must begin with a slash, not ${JSON.stringify(returned.uri)}`);
  }
  checkHeaders(given.headers, returned.headers ?? {}, readOnlyInRequests);
  const headers: [string, string][] = toHeaders(given.headers, returned.headers ?? {});
  for (const [name, value] of request.headers)
    if (disallowed.test(name.toLowerCase())) headers.push([name, value]);
  const cookies = toPairs(given.cookies, returned.cookies ?? {});
  if (cookies.length > 0) headers.push(["Cookie", cookies.join("; ")]);
  const isQuerySame = JSON.stringify(returned.querystring) === JSON.stringify(given.querystring);
  const query = isQuerySame
    ? request.query
    : toPairs(given.querystring, returned.querystring ?? {}).join("&");
  return { ...request, path: returned.uri, query, headers };
}

/** Reads the status and headers of a response that a function returned, and the body if the function set one. */
export function fromEdgeResponse(
  given: EdgeResponse | undefined,
  returned: EdgeResponse,
): { statusCode: number; headers: HeaderFields; body: Buffer | undefined } {
  const { statusCode } = returned;
  if (!Number.isInteger(statusCode) || statusCode < 100 || statusCode > 599) {
    throw new EdgeValidationError(
      `statusCode must be a whole number from 100 to 599, not ${JSON.stringify(statusCode)}`,
    );
  }
  checkHeaders(given?.headers ?? {}, returned.headers ?? {}, readOnlyInResponses);
  const headers = toHeaders(given?.headers ?? {}, returned.headers ?? {});
  for (const [name, cookie] of Object.entries(returned.cookies ?? {})) {
    for (const { value, attributes } of cookie.multiValue ?? [cookie]) {
      headers.push(["Set-Cookie", [`${name}=${value}`, attributes].filter(Boolean).join("; ")]);
    }
  }
  return { statusCode, headers, body: bodyOf(returned.body) };
}

/** Returns true if a function returned a response instead of a request. */
export function isEdgeResponse(returned: unknown): returned is EdgeResponse {
  return typeof returned === "object" && returned !== null && "statusCode" in returned;
}

function bodyOf(body: EdgeResponse["body"]): Buffer | undefined {
  if (body === undefined) return undefined;
  if (typeof body === "string") return Buffer.from(body);
  if (body.encoding !== "text" && body.encoding !== "base64") {
    throw new EdgeValidationError(
      `body.encoding must be text or base64, not ${JSON.stringify(body.encoding)}`,
    );
  }
  return Buffer.from(body.data, body.encoding === "base64" ? "base64" : "utf8");
}

function fromHeaders(headers: HeaderFields, ownField: string): EdgeValues {
  const visible = headers.filter(
    ([name]) => name.toLowerCase() !== ownField && !disallowed.test(name.toLowerCase()),
  );
  return collect(visible.map(([name, value]) => [name.toLowerCase(), { value }]));
}

function fromPairs(pairs: readonly string[]): EdgeValues {
  return collect(
    pairs.map((pair) => {
      const [name, value] = splitPair(pair);
      return [name, { value }];
    }),
  );
}

/** Collects repeated names into one field, whose `multiValue` contains all values. */
function collect(
  entries: readonly (readonly [string, { value: string; attributes?: string }])[],
): EdgeValues {
  const values = new Map<string, EdgeValue>();
  for (const [name, entry] of entries) {
    const first = values.get(name);
    if (first === undefined) values.set(name, entry);
    else values.set(name, { ...first, multiValue: [...(first.multiValue ?? [withoutMulti(first)]), entry] });
  }
  return Object.fromEntries(values);
}

function withoutMulti({ value, attributes }: EdgeValue): { value: string; attributes?: string } {
  return attributes === undefined ? { value } : { value, attributes };
}

/** Returns the values of a field. A changed `multiValue` takes precedence over `value`, which otherwise replaces the first value. */
function valuesOf(given: EdgeValue | undefined, returned: EdgeValue): string[] {
  if (returned.multiValue === undefined) return [String(returned.value)];
  const values = returned.multiValue.map(({ value }) => String(value));
  const isSame = JSON.stringify(given?.multiValue) === JSON.stringify(returned.multiValue);
  if (isSame && values.length > 0) values[0] = String(returned.value);
  return values;
}

function toPairs(given: EdgeValues, returned: EdgeValues): string[] {
  return Object.entries(returned).flatMap(([name, value]) =>
    valuesOf(given[name], value).map((text) => `${name}=${text}`),
  );
}

function toHeaders(given: EdgeValues, returned: EdgeValues): [string, string][] {
  return Object.entries(returned).flatMap(([name, value]) =>
    valuesOf(given[name], value).map((text): [string, string] => [titleCased(name), text]),
  );
}

function titleCased(name: string): string {
  return name.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase());
}

function checkHeaders(given: EdgeValues, returned: EdgeValues, readOnly: readonly string[]): void {
  for (const name of Object.keys(returned)) {
    if (name !== name.toLowerCase())
      throw new EdgeValidationError(`header names must be lower case, not ${name}`);
    if (disallowed.test(name))
      throw new EdgeValidationError(`the header ${name} is not allowed in edge functions`);
  }
  for (const name of readOnly) {
    if (JSON.stringify(given[name]) !== JSON.stringify(returned[name])) {
      throw new EdgeValidationError(`the header ${name} is read-only in this event`);
    }
  }
}

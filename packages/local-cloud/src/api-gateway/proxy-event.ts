import {
  decodeIfValid,
  type HeaderFields,
  type HttpRequest,
  headerValue,
  splitPair,
  withHeaders,
} from "../http-message.ts";
import type { Route } from "./resource-tree.ts";
import type { ApiKey } from "./usage-plans.ts";

/** API, stage and time of the request, for the event. */
export interface EventContext {
  readonly apiId: string;
  readonly domainName: string;
  readonly stage: string;
  readonly stageVariables: Readonly<Record<string, string>> | null;
  readonly deploymentId: string;
  readonly requestId: string;
  readonly extendedRequestId: string;
  readonly startedAtMs: number;
  readonly binaryMediaTypes: readonly string[];
  /** API key of the request. @default - the method requires no key */
  readonly apiKey?: ApiKey | undefined;
}

/** Headers that API Gateway does not pass on; see "Amazon API Gateway important notes", API Gateway developer guide. */
const removedHeaders =
  /^(connection|content-length|content-md5|expect|max-forwards|proxy-authenticate|server|te|trailer|transfer-encoding|upgrade|www-authenticate)$/i;

/**
 * Builds the event of a Lambda proxy integration, payload version 1.0, whose `path` does not include the stage; see "Lambda proxy
 * integrations in API Gateway", API Gateway developer guide.
 */
export function toProxyEvent(
  request: HttpRequest,
  route: Route,
  body: Buffer,
  context: EventContext,
): object {
  const headers = forwardedHeaders(request, context);
  const query = parseQuery(request.query);
  const isBinary =
    body.length > 0 && matchesMediaType(context.binaryMediaTypes, headerValue(headers, "content-type"));
  return {
    resource: route.method.resourcePath,
    path: request.path,
    httpMethod: request.method,
    // If a name is repeated, its last value is used.
    headers: Object.fromEntries(headers),
    multiValueHeaders: allValues(headers),
    queryStringParameters: query.length === 0 ? null : Object.fromEntries(query),
    multiValueQueryStringParameters: query.length === 0 ? null : allValues(query),
    pathParameters: decodePathParameters(route.pathParameters),
    stageVariables: context.stageVariables,
    requestContext: requestContext(request, headers, route, context),
    body: body.length === 0 ? null : body.toString(isBinary ? "base64" : "utf8"),
    isBase64Encoded: isBinary,
  };
}

function forwardedHeaders(request: HttpRequest, context: EventContext): HeaderFields {
  const headers = request.headers.filter(([name]) => !removedHeaders.test(name));
  const forwardedFor = headerValue(headers, "x-forwarded-for");
  const startedAt = Math.floor(context.startedAtMs / 1000).toString(16);
  return withHeaders(headers, [
    ["X-Forwarded-For", [forwardedFor, request.peer.address].filter(Boolean).join(", ")],
    ["X-Forwarded-Port", "443"],
    ["X-Forwarded-Proto", "https"],
    ["X-Amzn-Trace-Id", `Root=1-${startedAt}-${context.requestId.replaceAll("-", "").slice(0, 24)}`],
  ]);
}

function requestContext(
  request: HttpRequest,
  headers: HeaderFields,
  route: Route,
  context: EventContext,
): object {
  return {
    accountId: "000000000000",
    apiId: context.apiId,
    deploymentId: context.deploymentId,
    domainName: context.domainName,
    domainPrefix: context.domainName.split(".")[0],
    extendedRequestId: context.extendedRequestId,
    httpMethod: request.method,
    identity: {
      accessKey: null,
      accountId: null,
      ...(context.apiKey && { apiKey: context.apiKey.value, apiKeyId: context.apiKey.id }),
      caller: null,
      cognitoAuthenticationProvider: null,
      cognitoAuthenticationType: null,
      cognitoIdentityId: null,
      cognitoIdentityPoolId: null,
      principalOrgId: null,
      sourceIp: request.peer.address,
      user: null,
      userAgent: headerValue(headers, "user-agent") ?? null,
      userArn: null,
    },
    path: `/${context.stage}${request.path}`,
    protocol: "HTTP/1.1",
    requestId: context.requestId,
    requestTime: accessLogTime(context.startedAtMs),
    requestTimeEpoch: context.startedAtMs,
    // API Gateway generates resource ids. The local cloud uses the path as the id.
    resourceId: route.method.resourcePath,
    resourcePath: route.method.resourcePath,
    stage: context.stage,
  };
}

/** Formats a time like `09/Apr/2015:12:34:56 +0000`. */
function accessLogTime(ms: number): string {
  const [, day, month, year, time] = new Date(ms).toUTCString().split(" ");
  return `${day}/${month}/${year}:${time} +0000`;
}

/** Parses a query string, which REST APIs also split at `;`; see "Amazon API Gateway important notes". */
function parseQuery(query: string | undefined): [string, string][] {
  const pairs = (query ?? "").split(/[&;]/).filter((pair) => pair !== "");
  return pairs.map((pair) => {
    const [name, value] = splitPair(pair.replaceAll("+", " "));
    return [decodeIfValid(name), decodeIfValid(value)];
  });
}

/** Decodes path parameters, and encodes the percent character again; see "Amazon API Gateway important notes". */
function decodePathParameters(parameters: Readonly<Record<string, string>>): Record<string, string> | null {
  const entries = Object.entries(parameters).map(([name, value]) => [
    name,
    decodeIfValid(value).replaceAll("%", "%25"),
  ]);
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

function allValues(pairs: HeaderFields): Record<string, string[]> {
  const byName = Map.groupBy(pairs, ([name]) => name);
  return Object.fromEntries([...byName].map(([name, group]) => [name, group.map(([, value]) => value)]));
}

/**
 * Returns true if a `Content-Type`, or the first type of an `Accept` header, is one of an API's binary media types; see "Binary media types
 * for REST APIs in API Gateway", API Gateway developer guide.
 */
export function matchesMediaType(binaryMediaTypes: readonly string[], header: string | undefined): boolean {
  const type = (header ?? "application/json").split(/[,;]/)[0]?.trim().toLowerCase() ?? "";
  return binaryMediaTypes.some((pattern) => pattern === "*/*" || pattern.toLowerCase() === type);
}

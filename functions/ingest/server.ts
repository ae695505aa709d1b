import { randomUUID, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { edgeHeaders, environmentNames, readEnvironment } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { logFault, logRequest } from "../core/log.ts";
import type { Release } from "../core/semaphore.ts";
import { bearerTokenHash } from "../http/bearer-token.ts";
import { type HttpRequest, toHttpRequest } from "../http/request.ts";
import { pageTypeOf } from "../http/request-body.ts";
import { errorJson, type HttpResponse } from "../http/response.ts";
import { readSite } from "../http/site.ts";
import { authenticate, useOf } from "../http/token-operation.ts";
import { calledRows, refuseUnknownCall } from "../refusals/nearest-operations.ts";
import { operationIds, routeOf } from "../routes.ts";
import { type AdmissionLimits, type Admit, admissionLimits, createAdmission } from "./admission.ts";
import { type IncomingBody, readIncomingBody } from "./incoming-body.ts";
import { type BufferedBody, bufferJsonBody } from "./json-body.ts";
import { type FoundOperation, findOperation } from "./operations.ts";
import { ingestHealthPath } from "./rows.ts";

/**
 * Maximum size of a refused body that is read to its end. Clients do not read the response while they send, and a Web Function forwards a
 * response only after the end of the request; see "Troubleshooting Lambda Web Functions", AWS Lambda developer guide. The edge refuses a larger
 * Content-Length (`functions/edge/viewer-request.ts`) and waits 60 s for a response.
 */
const discardBytesMax = 256 * 1024 * 1024;
const discardMsMax = 55_000;
const lingerMsMax = 5_000;

/**
 * Keep-alive timeout of a connection. It is longer than that of clients, so that clients close idle connections first (RFC 9112, section 9.5).
 */
const keepAliveMs = 75_000;
const requestMsMax = 300_000;

/**
 * Creates the HTTP server for requests whose bodies are too large for API Gateway and Lambda. It runs the same operations as the Lambda
 * functions. The caller must call `listen`.
 */
export function createIngestServer(admission: AdmissionLimits = admissionLimits): Server {
  const admit = createAdmission(admission);
  return createServer(
    { keepAliveTimeout: keepAliveMs, requestTimeout: requestMsMax, maxHeaderSize: 32 * 1024 },
    (message, response) => {
      void serve(message, response, admit).catch((error: unknown) => {
        logFault("ingest", "", error);
        response.destroy();
      });
    },
  );
}

interface RequestFacts {
  /** Path of the request, without the query. */
  readonly path: string;
  readonly requestId: string;
}

async function serve(message: IncomingMessage, response: ServerResponse, admit: Admit): Promise<void> {
  const path = (message.url ?? "/").replace(/\?.*$/, "");
  if (path === ingestHealthPath) {
    response.end("ok\n");
    return;
  }
  const body = readIncomingBody(message);
  const requestId = randomUUID();
  const answer = isFromEdge(message)
    ? await respond(message, body, admit, { path, requestId })
    : refuse(new ApiError("forbidden"), requestId);
  const isWhole =
    (body.contentLength ?? 0) <= discardBytesMax && (await body.discard(discardBytesMax, discardMsMax));
  response.writeHead(answer.status, {
    ...answer.headers,
    "content-length": Buffer.byteLength(answer.body),
    "x-request-id": requestId,
    // The connection is closed if the request's body was not read to its end.
    ...(isWhole ? {} : { connection: "close" }),
  });
  if (isWhole) {
    response.end(answer.body);
    return;
  }
  // Writes the whole response, but keeps the connection open for a client that is still sending.
  response.write(answer.body);
  await body.discard(discardBytesMax, lingerMsMax);
  response.end();
}

/** Recognizes requests from the edge. Other requests could forge the host and the client's address. */
function isFromEdge({ headersDistinct }: IncomingMessage): boolean {
  const given = Buffer.from(headersDistinct[edgeHeaders.originSecret]?.[0] ?? "");
  // Two secrets can be valid at the same time during a rotation.
  return readEnvironment(environmentNames.originSecret)
    .split(",")
    .map((secret) => Buffer.from(secret))
    .some((secret) => given.byteLength === secret.byteLength && timingSafeEqual(given, secret));
}

async function respond(
  message: IncomingMessage,
  body: IncomingBody,
  admit: Admit,
  { path, requestId }: RequestFacts,
): Promise<HttpResponse> {
  const found = findOperation(message.method ?? "", path);
  if (found === undefined) return refuse(explainNone(message, path), requestId);
  let release: Release;
  try {
    release = await admit();
  } catch (error) {
    if (error instanceof ApiError) return refuse(error, requestId);
    throw error;
  }
  return perform(found, message, body, { path, requestId }).finally(release);
}

/**
 * Returns the same error for an unknown path as the Lambda function for unknown paths. The edge sends such a request to this server only if
 * the length of its body is unknown.
 */
function explainNone(message: IncomingMessage, path: string): ApiError {
  const header = (name: string) => message.headersDistinct[name]?.[0];
  const site = readSite({
    host: header(edgeHeaders.host) ?? "",
    serviceHost: header(edgeHeaders.serviceHost),
  });
  return refuseUnknownCall(
    { method: message.method ?? "", headers: {}, rawQuery: "", bodyBytes: undefined },
    header(edgeHeaders.asked) ?? path,
    calledRows(operationIds.map(routeOf)),
    site,
  );
}

async function perform(
  { route, operation, pathParameters }: FoundOperation,
  message: IncomingMessage,
  body: IncomingBody,
  { path, requestId }: RequestFacts,
): Promise<HttpResponse> {
  let buffered: BufferedBody | undefined;
  const request: HttpRequest = toHttpRequest({
    method: route.method,
    path,
    headers: Object.assign(Object.create(null), message.headersDistinct),
    pathParameters,
    peerAddress: message.socket.remoteAddress ?? "",
    requestId,
    body: {
      readBody: async () => {
        // Checks the token before reading up to 13 MB. The operation itself counts the write, and refuses a revoked token.
        const { userId } = await authenticate(bearerTokenHash(request), false, Date.now(), useOf(route));
        const kind = pageTypeOf(route, request) ?? "json";
        if (kind === "markdown") throw markdownElsewhere(body);
        buffered = await bufferJsonBody(body, { route, userId, kind });
        return buffered.bytes;
      },
      bodyBytes: undefined,
      bodyStream: body.pieces,
      contentLength: body.contentLength,
    },
  });
  try {
    return await operation.execute(request);
  } finally {
    buffered?.release();
  }
}

/**
 * Returns the error for Markdown. Rendering may take seconds, and one thread serves all requests here. The edge sends valid Markdown to the API.
 */
function markdownElsewhere({ contentLength }: IncomingBody): ApiError {
  const bytesMax = limits.markdownBytesMax;
  const came =
    contentLength === undefined ? "a body without Content-Length" : `a body of ${contentLength} bytes`;
  return new ApiError(contentLength === undefined ? "invalid_arg" : "html_too_large", {
    message: `Send Markdown with a Content-Length of at most ${bytesMax} bytes. You sent ${came}. Send a larger page as HTML.`,
    details: { bytes_max: bytesMax },
  });
}

function refuse(error: ApiError, requestId: string): HttpResponse {
  logRequest({ operation: "ingest", requestId, status: error.status, code: error.code, durationMs: 0 });
  return errorJson(error);
}

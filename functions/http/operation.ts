import { randomInt } from "node:crypto";
import type { $ZodType, output } from "zod/v4/core";
import { ApiError, wordsFor } from "../core/errors.ts";
import { logFault, logRequest, type WriteIds } from "../core/log.ts";
import { isResponseAwaited } from "../core/request-signal.ts";
import type { FolderContent } from "../folders/folder.ts";
import { explainRefusal } from "../refusals/expected-call.ts";
import { type Act, type Actor, visitor } from "../table/audit.ts";
import type { RandomInt } from "../table/identifiers.ts";
import { type LambdaHandler, toLambdaHandler } from "./lambda-handler.ts";
import type { ByteBody, HttpRequest } from "./request.ts";
import type { ReadBody } from "./request-body.ts";
import { readInput } from "./request-input.ts";
import { type EntityTagCondition, errorJson, type HttpResponse, toApiError } from "./response.ts";
import type { Route } from "./route.ts";
import { patterns } from "./schemas.ts";
import { classifyHost, readSite, refuseForeignPages, type Site, type SiteHost } from "./site.ts";
import type { PathParameters } from "./validation.ts";
import { withWarnings } from "./warnings.ts";

/** The query of a request, parsed with the operation's schema. */
type QueryOf<Row extends Route> = Row extends { readonly query: infer Schema extends $ZodType }
  ? output<Schema>
  : undefined;

/** The body of a request, parsed with the operation's schema, or the bytes as sent. */
type BodyOf<Row extends Route> = Row extends {
  readonly body: { readonly json: infer Schema extends $ZodType };
}
  ? output<Schema> & SourceOf<Row>
  : Row extends { readonly body: "bytes" }
    ? ByteBody
    : Row extends { readonly body: "form" }
      ? Uint8Array
      : undefined;

/** The Markdown source of a page, or the page's folder. Both are stored with the page. */
type SourceOf<Row extends Route> = Row extends { readonly body: { readonly page: unknown } }
  ? { readonly source?: string; readonly folder?: FolderContent }
  : unknown;

/** Input of an operation: the request, parsed according to the operation's definition. */
export interface OperationInput<Row extends Route> {
  readonly request: HttpRequest;
  readonly site: Site;
  readonly host: SiteHost;
  readonly path: PathParameters;
  readonly query: QueryOf<Row>;
  /** The Idempotency-Key header. Like `ifMatch`, undefined if the header was not sent or the operation does not accept it. */
  readonly idempotencyKey: string | undefined;
  readonly ifMatch: EntityTagCondition | undefined;
  readonly body: BodyOf<Row>;
  readonly nowMs: number;
  readonly randomInt: RandomInt;
  /** Entry for the audit trail, recorded with the write. */
  readonly act: Act;
}

/** An operation, which is a Lambda handler. `execute` carries out requests for servers that receive them on a socket. */
export type Operation = LambdaHandler & {
  readonly id: string;
  readonly route: Route;
  /** Carries out a request. Adds the ids of its writes to `ids`, so that the caller can log them even if the operation times out. */
  execute(request: HttpRequest, ids?: WriteIds): Promise<HttpResponse>;
};

/** The parts that differ between kinds of operations, such as identifying the caller and formatting errors. */
interface OperationParts<Row extends Route, Extra> {
  /** Identifies the caller, before any other error of the request is reported. */
  readonly identify: (request: HttpRequest) => (spendsWrite: boolean, nowMs: number) => Promise<Extra>;
  /** Ids of the caller for the log. @default - none */
  readonly idsOf?: (extra: Extra) => WriteIds;
  /** Person or program that the audit trail names. @default - a visitor */
  readonly actorOf?: (extra: Extra) => Actor;
  /** If an error shows that the request was invalid, refunds its counted write. Rethrows the error. @default - no refund */
  readonly refundInvalid?: (error: unknown, extra: Extra) => Promise<never>;
  /** Marks the caller's write as not refundable. @default - the write stays refundable */
  readonly withoutRefund?: (extra: Extra) => Extra;
  readonly presentError: (error: ApiError, route: Route, request: HttpRequest) => HttpResponse;
  readonly run: (input: OperationInput<Row> & Extra) => Promise<HttpResponse>;
}

/** Defines an operation for anonymous callers, with errors in JSON. */
export function operation<Row extends Route>(
  route: Row,
  run: (input: OperationInput<Row>) => Promise<HttpResponse>,
): Operation {
  return defineOperation(route, { identify: anyone, presentError: errorJson, run });
}

/** Identifies an anonymous caller, without reading data. */
export function anyone() {
  return async () => ({});
}

/** Creates an operation from its definition and its parts. */
export function defineOperation<Row extends Route, Extra extends object>(
  route: Row,
  parts: OperationParts<Row, Extra>,
): Operation {
  const { id } = route;
  const execute = async (request: HttpRequest, ids: WriteIds = {}): Promise<HttpResponse> => {
    const startedAtMs = performance.now();
    let code: string | undefined;
    // Includes writes that do not count against limits, such as revoking a token.
    const isKnownWrite = route.caller !== "anyone" && route.method !== "GET";
    const note = (more: WriteIds) => isKnownWrite && Object.assign(ids, more);
    const response = await perform(route, parts, request, note).catch((thrown: unknown) => {
      const error = explainRefusal(route, request, toApiError(thrown));
      code = error.code;
      if (error.status >= 500 && isResponseAwaited()) logFault(id, request.requestId, error.cause ?? error);
      return parts.presentError(error, route, request);
    });
    // After a timeout, nothing more is logged, because the timeout response was logged. This response may be hours late, because the
    // function was frozen.
    if (!isResponseAwaited()) return response;
    const durationMs = Math.round(performance.now() - startedAtMs);
    logRequest({
      operation: id,
      requestId: request.requestId,
      status: response.status,
      ...(code ? { code } : {}),
      durationMs,
      ...ids,
      ...response.wrote,
    });
    return response;
  };
  return Object.assign(toLambdaHandler(id, execute), { id, route, execute });
}

/** Combines an operation with its variants for tools, which have a different query or response, in one function. */
export function withToolOperation(operation: Operation, tool: Operation, appTool = tool): Operation {
  const { id, route } = operation;
  const execute: Operation["execute"] = (request, ids) =>
    (request.isAppCall ? appTool : request.isToolCall ? tool : operation).execute(request, ids);
  return Object.assign(toLambdaHandler(id, execute), { id, route, execute });
}

/**
 * Maximum rendering time, in milliseconds, after which the write of a refused page is still refunded. Without this limit, a caller could
 * request any number of slow renderings.
 */
const refundedRenderMsMax = 1_000;

/**
 * Carries out an operation. Checks errors in the order 401, 403, 400, 429, then the operation's own errors, so that an invalid request does
 * not count as a write. Markdown is rendered after the write was counted; see docs/adr/0050-publication-bodies.md.
 */
async function perform<Row extends Route, Extra extends object>(
  route: Route,
  parts: OperationParts<Row, Extra>,
  request: HttpRequest,
  note: (ids: WriteIds) => void,
): Promise<HttpResponse> {
  const site = readSite(request);
  const host = classifyHost(site, request.host, request.owner);
  if (!exists(route, request.path, host)) throw new ApiError("not_found");
  // Refuses requests from pages of other sites before limits are counted, so that such a page cannot use up its visitor's sign-in limits.
  const { caller, resource } = route;
  if (resource === "auth" || resource === "oauth" || caller === "session")
    refuseForeignPages(route, request, site);
  const identified = parts.identify(request);
  const find = async (spendsWrite: boolean, atMs: number) => {
    const extra = await identified(spendsWrite, atMs);
    note(parts.idsOf?.(extra) ?? {});
    return extra;
  };
  const nowMs = Date.now();
  let spent: Promise<Extra> | undefined;
  const spendWrite = () => (spent ??= find(route.countsAsWrite, nowMs));
  const renderAfterWrite = async (render: () => Promise<ReadBody>): Promise<ReadBody> => {
    const extra = await spendWrite();
    const startedAtMs = performance.now();
    try {
      return await render();
    } finally {
      const isLong = performance.now() - startedAtMs > refundedRenderMsMax;
      if (isLong) spent = Promise.resolve(parts.withoutRefund?.(extra) ?? extra);
    }
  };
  const notePath = (path: PathParameters) => note(idsIn(path, route));
  const read = await readInput(route, { request, site, notePath, renderAfterWrite }).catch(
    async (error: unknown) => {
      if (spent === undefined) await find(false, nowMs);
      else await parts.refundInvalid?.(error, await spent);
      throw error;
    },
  );
  const extra = await spendWrite();
  const actor = parts.actorOf?.(extra) ?? visitor;
  const act = { action: route.id, actor, atMs: nowMs, requestId: request.requestId };
  const { warnings, query, body, ...others } = read;
  // Query and body were parsed with the operation's schemas.
  const input = { ...others, query: query as QueryOf<Row>, body: body as BodyOf<Row> };
  const response = await parts.run({ request, site, host, nowMs, randomInt, act, ...input, ...extra });
  return withWarnings(
    response,
    warnings.map((one) => wordsFor(request.isToolCall ? "tool" : "http", one)),
  );
}

function exists(route: Route, path: string, host: SiteHost): boolean {
  const second = route.alsoAt;
  const isSecond = second !== undefined && path.startsWith(second.path.slice(0, second.path.indexOf("{")));
  const wanted = isSecond ? second.host : route.host;
  return host.kind !== "unknown" && (wanted === "any" || wanted === host.kind);
}

function idsIn({ slug, id, version }: PathParameters, { resource }: Route): WriteIds {
  return {
    ...(slug ? { slug } : {}),
    ...(version ? { version } : {}),
    ...(id && resource === "blobs" ? { blobId: id } : {}),
    // Only a well-formed id is logged, because a caller may have sent the token itself in place of its id.
    ...(resource === "tokens" && patterns.tokenId.test(id) ? { revokedTokenId: id } : {}),
  };
}

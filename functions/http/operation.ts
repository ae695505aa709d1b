import { randomInt } from "node:crypto";
import type { $ZodType, output } from "zod/v4/core";
import { ApiError, wordsFor } from "../core/errors.ts";
import { logFault, logRequest, type WriteIds } from "../core/log.ts";
import { isResponseAwaited } from "../core/request-signal.ts";
import type { FolderContent } from "../folders/folder.ts";
import { type Act, type Actor, visitor } from "../table/audit.ts";
import type { RandomInt } from "../table/identifiers.ts";
import { explainRefusal } from "./explain-refusal.ts";
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

/** The query, parsed by the row's schema. */
type QueryOf<Row extends Route> = Row extends { readonly query: infer Schema extends $ZodType }
  ? output<Schema>
  : undefined;

/** The body as the row declares it: parsed by its schema, or the sent bytes. */
type BodyOf<Row extends Route> = Row extends {
  readonly body: { readonly json: infer Schema extends $ZodType };
}
  ? output<Schema> & SourceOf<Row>
  : Row extends { readonly body: "bytes" }
    ? ByteBody
    : Row extends { readonly body: "form" }
      ? Uint8Array
      : undefined;

/** The Markdown of a rendered page, or the files around it, which are stored beside it. */
type SourceOf<Row extends Route> = Row extends { readonly body: { readonly page: unknown } }
  ? { readonly source?: string; readonly folder?: FolderContent }
  : unknown;

/** Input of an operation: the request, parsed by its row. */
export interface OperationInput<Row extends Route> {
  readonly request: HttpRequest;
  readonly site: Site;
  readonly host: SiteHost;
  readonly path: PathParameters;
  readonly query: QueryOf<Row>;
  /** Undefined if it was not sent, or the row does not accept it. The same applies to the next field. */
  readonly idempotencyKey: string | undefined;
  readonly ifMatch: EntityTagCondition | undefined;
  readonly body: BodyOf<Row>;
  readonly nowMs: number;
  readonly randomInt: RandomInt;
  /** Action for the audit trail, recorded with the write. */
  readonly act: Act;
}

/** An operation: a Lambda handler, and a function for servers that receive requests on a socket. */
export type Operation = LambdaHandler & {
  readonly id: string;
  readonly route: Route;
  /** `ids` receives the ids of a write, for callers that respond in place of the operation. */
  execute(request: HttpRequest, ids?: WriteIds): Promise<HttpResponse>;
};

/** Varying parts of operations: the caller's identity and the form of errors. */
interface OperationParts<Row extends Route, Extra> {
  /** Finds the caller. Runs before anything is said about the rest of the request. */
  readonly identify: (request: HttpRequest) => (spendsWrite: boolean, nowMs: number) => Promise<Extra>;
  /** Log ids of the caller. @default - none */
  readonly idsOf?: (extra: Extra) => WriteIds;
  /** Actor for the audit trail. @default - a visitor */
  readonly actorOf?: (extra: Extra) => Actor;
  /** Refunds a write that turned out to be invalid, and rethrows the error. @default - no refund */
  readonly refundInvalid?: (error: unknown, extra: Extra) => Promise<never>;
  /** The same caller, whose write is never refunded. @default - the same */
  readonly withoutRefund?: (extra: Extra) => Extra;
  readonly presentError: (error: ApiError, route: Route, request: HttpRequest) => HttpResponse;
  readonly run: (input: OperationInput<Row> & Extra) => Promise<HttpResponse>;
}

/** An operation for anonymous callers, with refusals in JSON. */
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

/** Creates an operation from its parts, by its row. */
export function defineOperation<Row extends Route, Extra extends object>(
  route: Row,
  parts: OperationParts<Row, Extra>,
): Operation {
  const { id } = route;
  const execute = async (request: HttpRequest, ids: WriteIds = {}): Promise<HttpResponse> => {
    const startedAtMs = performance.now();
    let code: string | undefined;
    const note = (more: WriteIds) => isKnownWrite(route) && Object.assign(ids, more);
    const response = await perform(route, parts, request, note).catch((thrown: unknown) => {
      const error = explainRefusal(route, request, toApiError(thrown));
      code = error.code;
      if (error.status >= 500 && isResponseAwaited()) logFault(id, request.requestId, error.cause ?? error);
      return parts.presentError(error, route, request);
    });
    // A timeout response was already logged for this request. This response may be hours late, from a function that was frozen.
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

/** An operation whose function also carries out its tools, if they have another query or response. */
export function withToolOperation(operation: Operation, tool: Operation, appTool = tool): Operation {
  const { id, route } = operation;
  const execute: Operation["execute"] = (request, ids) =>
    (request.isAppCall ? appTool : request.isToolCall ? tool : operation).execute(request, ids);
  return Object.assign(toLambdaHandler(id, execute), { id, route, execute });
}

/** Also applies to calls that do not count as a write: a token's revocation, the steps of an upload. */
function isKnownWrite({ caller, method }: Route): boolean {
  return caller !== "anyone" && method !== "GET";
}

/** A page whose rendering was slow counts as a write even if it is refused: otherwise a caller could request renderings without limit. */
const refundedRenderMsMax = 1_000;

/**
 * The order is 401, 403, 400, 429, then the operation's own refusals: an invalid request does not count as a write. Markdown is rendered after
 * the write was counted: docs/adr/0050-publication-bodies.md.
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
  // Checked before limits are counted, so that a foreign page cannot use up a visitor's sign-in limits.
  if (refusesForeignPages(route)) refuseForeignPages(route, request, site);
  const identified = parts.identify(request);
  const find = async (spendsWrite: boolean, atMs: number) => {
    const extra = await identified(spendsWrite, atMs);
    note(parts.idsOf?.(extra) ?? {});
    return extra;
  };
  const nowMs = Date.now();
  let spent: Promise<Extra> | undefined;
  const spendWrite = () => {
    spent ??= find(route.countsAsWrite, nowMs);
    return spent;
  };
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
  // The row's schemas have parsed them.
  const input = { ...others, query: query as QueryOf<Row>, body: body as BodyOf<Row> };
  const response = await parts.run({ request, site, host, nowMs, randomInt, act, ...input, ...extra });
  return withWarnings(
    response,
    warnings.map((one) => wordsFor(request.isToolCall ? "tool" : "http", one)),
  );
}

/** Matches the operations for sign-in of people and clients. */
function refusesForeignPages({ resource, caller }: Route): boolean {
  return resource === "auth" || resource === "oauth" || caller === "session";
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
    // A caller may send a token in place of its id.
    ...(resource === "tokens" && patterns.tokenId.test(id) ? { revokedTokenId: id } : {}),
  };
}

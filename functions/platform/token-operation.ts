import type { Actor } from "./audit.ts";
import { explainAuthorization, unknownToken } from "./authorization.ts";
import { ApiError } from "./errors.ts";
import { defineOperation, type Operation, type OperationInput } from "./operation.ts";
import type { HttpRequest } from "./request.ts";
import { errorJson, type HttpResponse } from "./response.ts";
import type { Route } from "./route.ts";
import { hashSecret, isTokenPlaintext } from "./token.ts";
import { type Addressed, type Caller, tokens } from "./token-store.ts";

/** What an operation of the API works with: the request, and whose it is. */
export type TokenOperationInput<Row extends Route> = OperationInput<Row> & { readonly caller: Caller };

/** An operation for the holders of a token; a row that counts as a write spends one before `run`. */
export function tokenOperation<Row extends Route>(
  route: Row,
  run: (input: TokenOperationInput<Row>) => Promise<HttpResponse>,
): Operation {
  return defineOperation(route, {
    identify,
    idsOf,
    actorOf,
    refundInvalid: (error, { caller }) => refundInvalid(error, caller),
    withoutRefund: ({ caller }) => ({ caller: { ...caller, writeWindowsOpenedAtMs: undefined } }),
    presentError: errorJson,
    run,
  });
}

function idsOf({ caller: { userId, token } }: { readonly caller: Caller }) {
  return { ownerId: userId, tokenId: token.id };
}

function actorOf({ caller: { token } }: { readonly caller: Caller }): Actor {
  return { kind: "token", tokenId: token.id };
}

function identify(request: HttpRequest) {
  const hash = bearerTokenHash(request);
  return async (spendsWrite: boolean, nowMs: number) => ({
    caller: await authenticate(hash, spendsWrite, nowMs, request.isToolCall ? "mcp" : "api"),
  });
}

/**
 * The hash of the request's bearer token (RFC 6750, section 2.1); the scheme's case does not matter (RFC 9110).
 *
 * @throws ApiError `unauthorized` when there is no one well-formed token.
 */
export function bearerTokenHash(request: HttpRequest): string {
  if (request.tokenHash !== undefined) return request.tokenHash;
  const [value = "", ...others] = request.headers.authorization ?? [];
  const [, plaintext = ""] = /^Bearer +([^\s,]+) *$/i.exec(value) ?? [];
  if (others.length > 0 || !isTokenPlaintext(plaintext)) throw explainAuthorization(request);
  return hashSecret(plaintext);
}

/**
 * Finds the caller, and for a write spends it, in one update.
 *
 * @throws ApiError `unauthorized` for an unknown or revoked token; `forbidden` for a suspended account's; `rate_limited` or `daily_quota_exceeded`.
 */
export async function authenticate(
  hash: string,
  spendsWrite: boolean,
  nowMs: number,
  addressed: Addressed,
): Promise<Caller> {
  const caller = spendsWrite
    ? await tokens.authenticateWrite(hash, nowMs, addressed)
    : await tokens.authenticate(hash, nowMs, addressed);
  if (caller === undefined) throw unknownToken();
  return caller;
}

/** An invalid request spends nothing, also where it shows only after the write was spent. */
export async function refundInvalid(error: unknown, caller: Caller): Promise<never> {
  if (error instanceof ApiError && error.status === 400) await tokens.refundWrite(caller);
  throw error;
}

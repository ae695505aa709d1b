import type { Route } from "../contract/route.ts";
import type { Actor } from "../domain/audit.ts";
import type { Caller } from "../store/tokens.ts";
import type { HttpAnswer } from "./answer.ts";
import { authenticate, bearerTokenHash } from "./authentication.ts";
import { errorJson } from "./error-answer.ts";
import { defineOperation, type Operation, type OperationInput } from "./operation.ts";
import type { HttpRequest } from "./request.ts";

/** What an operation of the API works with: the request, and whose it is. */
export type TokenOperationInput<Row extends Route> = OperationInput<Row> & { readonly caller: Caller };

/** An operation for the holders of a token; a row that counts as a write spends one before `run`. */
export function tokenOperation<Row extends Route>(
  route: Row,
  run: (input: TokenOperationInput<Row>) => Promise<HttpAnswer>,
): Operation {
  return defineOperation(route, { identify, idsOf, actorOf, presentError: errorJson, run });
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
    caller: await authenticate(hash, spendsWrite, nowMs),
  });
}

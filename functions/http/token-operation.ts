import { ApiError, inBothWords, type Message, wordsFor } from "../core/errors.ts";
import { findActingRole } from "../people/teams.ts";
import type { ReaderRule } from "../policies/access.ts";
import type { Actor } from "../table/audit.ts";
import { findUnknownGroups } from "../table/groups.ts";
import { isTeamId } from "../table/identifiers.ts";
import { withWriteCount } from "../table/table.ts";
import { type Caller, signInBy, type TokenUse, tokens } from "../table/tokens.ts";
import { bearerTokenHash } from "./bearer-token.ts";
import { defineOperation, type Operation, type OperationInput } from "./operation.ts";
import type { HttpRequest } from "./request.ts";
import { errorJson, type HttpResponse, isUnavailable } from "./response.ts";
import { neededScope, type Route, requireTeamRole } from "./route.ts";
import { withWarnings } from "./warnings.ts";

/** Input of an API operation: the request and its caller. */
export type TokenOperationInput<Row extends Route> = OperationInput<Row> & { readonly caller: Caller };

/** Defines an operation for callers with a token. If a call counts as a write, the write is counted before `run`. */
export function tokenOperation<Row extends Route>(
  route: Row,
  run: (input: TokenOperationInput<Row>) => Promise<HttpResponse>,
): Operation {
  return defineOperation(route, {
    identify: identifyFor(route),
    idsOf: ({ caller: { userId, token } }) => ({ ownerId: userId, tokenId: token.id }),
    actorOf,
    refundInvalid: (error, { caller }) => refundInvalid(error, caller),
    withoutRefund: ({ caller }) => ({ caller: { ...caller, writeWindowsOpenedAtMs: undefined } }),
    presentError: errorJson,
    run: async (input) => {
      // Reads the groups before the write, because nothing may fail after the write.
      const ofGroups = await groupWarnings(input);
      const { caller, nowMs } = input;
      const response = await withWriteCount((mayHaveWritten) =>
        run(input).catch(async (error: unknown) => {
          // If the refund fails too, the caller still gets the original error.
          if (isUnavailable(error) && !mayHaveWritten()) await tokens.refundMinute(caller).catch(() => {});
          return refundInvalid(error, caller);
        }),
      );
      const audience = input.request.isToolCall ? "tool" : "http";
      const ofToken = expiryWarnings(caller, nowMs).map((one) => wordsFor(audience, one));
      return withWarnings(response, [...ofGroups, ...ofToken]);
    },
  });
}

/** Time before a token's expiry during which responses contain a warning. */
const expiryWarningMs = 14 * 24 * 60 * 60 * 1000;

/** Warns an agent whose token expires soon, so that the agent's user can sign in again in time. */
function expiryWarnings({ endsAtMs, token }: Caller, nowMs: number): readonly Message[] {
  if (endsAtMs === undefined || endsAtMs - nowMs > expiryWarningMs) return [];
  // Does not warn GitHub workflows, which get a new token for each run.
  if (token.audience === "own-pages") return [];
  const end = new Date(endsAtMs).toISOString();
  return [
    token.audience === undefined
      ? inBothWords(
          (call) =>
            `This token expires on ${end}. Tell the human now, sign in again (${signInBy(call)}), and use the new token.`,
        )
      : `This client's access ends on ${end}. Tell the human to remove the connection in the client, and to add it again.`,
  ];
}

/** Warns about groups in a request's list of readers if no member of the group has signed in yet. */
async function groupWarnings({
  query,
  body,
}: {
  readonly query?: unknown;
  readonly body?: unknown;
}): Promise<readonly string[]> {
  const parts = [query, body] as readonly ({ readonly readers?: readonly ReaderRule[] } | undefined)[];
  const groups = parts.flatMap((part) =>
    (part?.readers ?? []).flatMap((rule) => (rule.kind === "group" ? rule.group : [])),
  );
  if (groups.length === 0) return [];
  return (await findUnknownGroups(groups)).map(
    (group) =>
      `No one in the group ${JSON.stringify(group)} has signed in here yet. Check the spelling, including capital letters. The group's members can read this after they sign in.`,
  );
}

function actorOf({ caller: { token, userId } }: { readonly caller: Caller }): Actor {
  return {
    kind: "token",
    tokenId: token.id,
    personId: token.personId ?? (isTeamId(userId) ? undefined : userId),
  };
}

/** Returns the audience and scope that a token needs to call an operation. */
export function useOf(route: Route): TokenUse {
  return { addressed: route.isForWorkflows ? "own-pages" : "api", scope: neededScope(route) };
}

function identifyFor(route: Route) {
  const use = useOf(route);
  const useByTool = { ...use, addressed: "mcp" } as const;
  return (request: HttpRequest) => {
    const hash = bearerTokenHash(request);
    return async (spendsWrite: boolean, nowMs: number) => {
      const caller = await authenticate(hash, spendsWrite, nowMs, request.isToolCall ? useByTool : use);
      const { personId } = caller.token;
      if (personId !== undefined) requireTeamRole(await findActingRole(caller, personId), route);
      return { caller };
    };
  };
}

/**
 * Identifies the caller again after a long poll, because the token may have been revoked, or its person may have left the team.
 *
 * @throws ApiError as at the start of the call
 */
export async function requireStillAllowed(route: Route, request: HttpRequest): Promise<void> {
  await identifyFor(route)(request)(false, Date.now());
}

/**
 * Finds the caller by the token's hash. Counts a write in the same update.
 *
 * @throws ApiError `unauthorized` for an unknown or revoked token; `forbidden` for a token of a suspended account; `insufficient_scope`;
 * `rate_limited` or `daily_quota_exceeded`
 */
export async function authenticate(
  hash: string,
  spendsWrite: boolean,
  nowMs: number,
  use: TokenUse,
): Promise<Caller> {
  const caller = spendsWrite
    ? await tokens.authenticateWrite(hash, nowMs, use)
    : await tokens.authenticate(hash, nowMs, use);
  if (caller !== undefined) return caller;
  throw new ApiError("unauthorized", {
    message: inBothWords(
      (call) =>
        `Unknown token: it was revoked, expired long ago, or belongs to another service. To get a new one, sign in again: ${signInBy(call)}.`,
    ),
    details: { reason: "token_unknown" },
  });
}

/** If an error shows that the request was invalid, refunds its counted write. Rethrows the error. */
async function refundInvalid(error: unknown, caller: Caller): Promise<never> {
  if (error instanceof ApiError && error.status === 400) await tokens.refundWrite(caller);
  throw error;
}

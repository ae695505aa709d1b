import type { ReaderRule } from "../identity/visibility.ts";
import type { Actor } from "../table/audit.ts";
import { findUnknownGroups } from "../table/groups.ts";
import { hashSecret, isTokenPlaintext } from "../table/identifiers.ts";
import { type Addressed, type Caller, tokens } from "../table/tokens.ts";
import { ApiError } from "./errors.ts";
import { withWarnings } from "./input-hints.ts";
import { defineOperation, type Operation, type OperationInput } from "./operation.ts";
import { type HttpRequest, parseQuery } from "./request.ts";
import { errorJson, type HttpResponse } from "./response.ts";
import type { Route } from "./route.ts";
import { patterns } from "./schemas.ts";
import { guideUrl, readSite } from "./site.ts";

/** Input of an API operation: the request and its caller. */
export type TokenOperationInput<Row extends Route> = OperationInput<Row> & { readonly caller: Caller };

/** An operation for the holders of a token; a row that counts as a write spends one before `run`. */
export function tokenOperation<Row extends Route>(
  route: Row,
  run: (input: TokenOperationInput<Row>) => Promise<HttpResponse>,
): Operation {
  return defineOperation(route, {
    identify: identifyFor(route),
    idsOf,
    actorOf,
    refundInvalid: (error, { caller }) => refundInvalid(error, caller),
    withoutRefund: ({ caller }) => ({ caller: { ...caller, writeWindowsOpenedAtMs: undefined } }),
    presentError: errorJson,
    run: async (input) => {
      // Read before the write, which must not fail after it.
      const ofGroups = await groupWarnings(input);
      return withWarnings(await run(input), [...ofGroups, ...expiryWarnings(input.caller, input.nowMs)]);
    },
  });
}

/** Time before the end of a token from which its responses warn. */
const expiryWarningMs = 14 * 24 * 60 * 60 * 1000;

/** Warns an agent whose token ends soon, so that its person can sign in again in time. */
function expiryWarnings({ endsAtMs, token }: Caller, nowMs: number): readonly string[] {
  if (endsAtMs === undefined || endsAtMs - nowMs > expiryWarningMs) return [];
  // A workflow gets another for each run.
  if (token.audience === "own-pages") return [];
  const end = new Date(endsAtMs).toISOString();
  return [
    token.audience === undefined
      ? `This token expires on ${end}. Tell the human now, sign in again (POST /api/auth/start), and use the new token.`
      : `This client's access ends on ${end}. Tell the human to connect it again: remove it in the client, and add it anew.`,
  ];
}

/** Parts of a request that may name readers. */
interface NamedReaders {
  readonly query?: unknown;
  readonly body?: unknown;
}

/** Warns about groups that nobody has had at a sign-in, among the readers that a request names. */
async function groupWarnings({ query, body }: NamedReaders): Promise<readonly string[]> {
  const groups = [query, body]
    .flatMap(readersIn)
    .flatMap((rule) => (rule.kind === "group" ? rule.group : []));
  if (groups.length === 0) return [];
  return (await findUnknownGroups(groups)).map(
    (group) =>
      `Nobody in the group ${JSON.stringify(group)} has signed in here yet. Check the spelling, capital letters too. People in it can read this after they sign in.`,
  );
}

function readersIn(part: unknown): readonly ReaderRule[] {
  return (part as { readonly readers?: readonly ReaderRule[] } | undefined)?.readers ?? [];
}

function idsOf({ caller: { userId, token } }: { readonly caller: Caller }) {
  return { ownerId: userId, tokenId: token.id };
}

function actorOf({ caller: { token } }: { readonly caller: Caller }): Actor {
  return { kind: "token", tokenId: token.id };
}

/** The interface that a call of the API is part of. */
export function addressedBy({ isForWorkflows }: Route): Addressed {
  return isForWorkflows ? "own-pages" : "api";
}

function identifyFor(route: Route) {
  const addressed = addressedBy(route);
  return (request: HttpRequest) => {
    const hash = bearerTokenHash(request);
    return async (spendsWrite: boolean, nowMs: number) => ({
      caller: await authenticate(hash, spendsWrite, nowMs, request.isToolCall ? "mcp" : addressed),
    });
  };
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

/** Other names of the token's header or parameter. */
const otherHeaders = ["x-api-key", "api-key", "apikey", "x-auth-token", "x-access-token", "x-token", "token"];
const otherParameters = ["token", "access_token", "api_token", "api_key", "apikey", "key", "auth"];

/** Length of a token: `hb_` and 36 letters or digits. */
const tokenCharacters = 39;

/** Error for a request without one well-formed bearer token. It does not repeat what was sent, which may be a secret. */
export function explainAuthorization(request: HttpRequest): ApiError {
  const site = readSite(request);
  const { reason, fault } = faultOf(request);
  const signIn = `${site.baseUrl}/api/auth/start`;
  const guide = guideUrl(site);
  const way = `Send the header Authorization: Bearer <API_TOKEN>; to get a token: POST ${signIn} (${guide}).`;
  return new ApiError("unauthorized", {
    message: `${fault} ${way}`,
    details: { reason, sign_in: signIn, guide },
  });
}

/** Error for a well-formed but unknown or expired token. */
export function unknownToken(): ApiError {
  return new ApiError("unauthorized", {
    message:
      "Unknown token: it was revoked, expired long ago, or belongs to another service. To get a new one, sign in again: POST /api/auth/start.",
    details: { reason: "token_unknown" },
  });
}

interface Fault {
  readonly reason: "no_token" | "wrong_scheme" | "token_malformed";
  readonly fault: string;
}

function faultOf(request: HttpRequest): Fault {
  const [value, ...others] = request.headers.authorization ?? [];
  if (others.length > 0) {
    return { reason: "token_malformed", fault: `Send one Authorization header; ${others.length + 1} came.` };
  }
  return value === undefined ? faultOfAbsent(request) : faultOfValue(value.trim());
}

function faultOfAbsent(request: HttpRequest): Fault {
  const header = otherHeaders.find((name) => request.headers[name] !== undefined);
  const query = parseQuery(request.rawQuery);
  const parameter = otherParameters.find((name) => query[name] !== undefined);
  if (header !== undefined) return absent(`A token in the header ${header} is not looked at.`);
  if (request.headers["x-passcode"] !== undefined || request.headers["x-password"] !== undefined)
    return absent(
      "A passcode is no token: it opens the page /d/{slug} in a browser, in the form there, and nothing in the API.",
    );
  if (parameter === undefined) return absent("There is no Authorization header.");
  return absent(
    "A token in the address is not looked at, and gets into logs: revoke it if it is a real one.",
  );
}

function absent(fault: string): Fault {
  return { reason: "no_token", fault };
}

function faultOfValue(value: string): Fault {
  const [, scheme = "", rest = ""] = /^(\S+)\s*(.*)$/.exec(value) ?? [];
  if (/^hb_/.test(value))
    return { reason: "wrong_scheme", fault: "The scheme before the token is missing: Bearer." };
  if (/^Bearer:/i.test(scheme)) return malformed("There is a colon after Bearer: leave it out.");
  if (scheme.toLowerCase() !== "bearer") {
    const shown = /^[A-Za-z-]{1,20}$/.test(scheme) ? scheme : "another";
    return { reason: "wrong_scheme", fault: `The scheme is ${shown}; the one here is Bearer.` };
  }
  return malformed(faultOfToken(rest));
}

function malformed(fault: string): Fault {
  return { reason: "token_malformed", fault };
}

function faultOfToken(token: string): string {
  if (token === "") return "There is no token after Bearer.";
  if (/^["'`]/.test(token)) return "The token is in quotation marks: leave them out.";
  if (
    /^[{<$%[]/.test(token) ||
    /^(undefined|null|none|nan|api_token|your[-_ ]?\w*token|token|\.{3})$/i.test(token)
  ) {
    return "A placeholder came in place of the token: nothing has filled it in.";
  }
  if (patterns.deviceCode.test(token.toUpperCase())) {
    return "This is the code that the human sees: poll with the poll_token of the same response for the API token.";
  }
  if (/[\s,]/.test(token)) return "Send one token; there is white space or a comma in what came.";
  if (!token.startsWith("hb_")) {
    return "This is no API token, which begins with hb_. A poll_token gets one: GET /api/auth/poll?token=<poll_token>.";
  }
  if (token.length !== tokenCharacters) {
    return `The token is cut off or too long: it has ${tokenCharacters} characters, and ${token.length} came.`;
  }
  return "The token is mistyped: its last characters do not go with the others.";
}

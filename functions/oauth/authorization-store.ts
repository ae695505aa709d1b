import { randomInt } from "node:crypto";
import { ApiError } from "../core/errors.ts";
import { patterns } from "../http/schemas.ts";
import type { Site } from "../http/site.ts";
import type { Act } from "../table/audit.ts";
import { auditWrite } from "../table/audit-trail.ts";
import { hashSecret, type RandomInt, randomBase62 } from "../table/identifiers.ts";
import { keys } from "../table/keys.ts";
import { getItem, type Item } from "../table/table.ts";
import { type TransactionWrite, transact } from "../table/table-writes.ts";
import {
  type AuthorizationRequest,
  findReturnAddress,
  parseAuthorizationRequest,
} from "./authorization-request.ts";
import { oauthLimits } from "./limits.ts";
import { defaultScope, type OAuthScope } from "./schemas.ts";

/** Finds an undecided authorization request. Checks its client and redirect URI again. @throws ApiError `invalid_arg` */
export async function findPendingAuthorization(
  id: string,
  site: Site,
  nowMs: number,
): Promise<AuthorizationRequest> {
  const query = patterns.authorizationRequest.test(id)
    ? await authorizationRequests.find(id, nowMs)
    : undefined;
  if (query === undefined) throw authorizationEnded();
  return parseAuthorizationRequest(query, await findReturnAddress(query, nowMs), site);
}

/** Error for an authorization request that was already decided or has expired. */
export function authorizationEnded(): ApiError {
  const minutes = oauthLimits.authorizationRequestSeconds / 60;
  return new ApiError("invalid_arg", {
    message: `This request has ended. A request is valid for ${minutes} minutes and one decision. Start again in the program that sent you here.`,
  });
}

/** Length of a request id in characters. The id has 131 random bits, so it cannot be guessed. */
const requestIdLength = 22;

/** Length of a secret in characters. The secret has 256 random bits. */
const secretLength = 43;

/** Number of seconds that an unused code stays stored after it has expired. */
const keptAfterExpirySeconds = 24 * 60 * 60;

/** An issued authorization code. */
export type AuthorizationCode = ReturnType<typeof toCode>;

/** Stores clients' authorization requests. Every read checks the expiry, because the table's TTL deletes items late. */
export const authorizationRequests = {
  /** Stores a request's query until a person has signed in and made a decision. Returns the request id. */
  async store(query: string, nowMs: number): Promise<string> {
    const id = randomBase62(randomInt, requestIdLength);
    const expiresAtMs = nowMs + oauthLimits.authorizationRequestSeconds * 1000;
    const ttl = Math.ceil(expiresAtMs / 1000);
    await transact([{ put: { ...keys.authorizationRequest(id), query, expiresAtMs, ttl } }]);
    return id;
  },

  /** Finds a request's query. Returns undefined if the request does not exist or has expired. */
  async find(id: string, nowMs: number): Promise<string | undefined> {
    const item = await getItem(keys.authorizationRequest(id));
    return item && (item.expiresAtMs as number) > nowMs ? (item.query as string) : undefined;
  },

  /** Ends a request that the person has refused. Returns false if a decision was already made. */
  async refuse(id: string): Promise<boolean> {
    return (await transact([decided(id)])).committed;
  },

  /** Approves a request and stores its code. Returns `late` if the request was already decided, or `refused` if another write fails. */
  async allow(
    id: string,
    { client, redirectUri, codeChallenge, scope }: AuthorizationRequest,
    { userId, personId }: { readonly userId: string; readonly personId?: string },
    act: Act,
    others: readonly TransactionWrite[],
  ): Promise<{ readonly code: string } | "late" | "refused"> {
    const code = createSecret(randomInt);
    const expiresAtMs = act.atMs + oauthLimits.authorizationCodeSeconds * 1000;
    const outcome = await transact({
      request: decided(id),
      code: {
        put: {
          ...keys.authorizationCode(hashSecret(code)),
          userId,
          personId,
          clientHash: hashSecret(client.id),
          clientName: client.name,
          redirectUri,
          codeChallenge,
          scope,
          expiresAtMs,
          ttl: Math.ceil(expiresAtMs / 1000) + keptAfterExpirySeconds,
        },
        condition: "attribute_not_exists(pk)",
      },
      others,
      line: auditWrite(act, { ownerId: userId }),
    });
    if (outcome.committed) return { code };
    return outcome.failed.has("request") ? "late" : "refused";
  },
};

/** Creates the plaintext of a code or a refresh token: 43 base62 characters with 256 random bits. */
export function createSecret(random: RandomInt): string {
  return randomBase62(random, secretLength);
}

/** Finds a code, even if it was already used. */
export async function findCode(plaintext: string): Promise<AuthorizationCode | undefined> {
  const hash = hashSecret(plaintext);
  const item = await getItem(keys.authorizationCode(hash));
  return item && toCode(hash, item);
}

/** Returns a write that ends a request. The write fails if the request has already ended, so that the person can decide only once. */
function decided(id: string): TransactionWrite {
  return { remove: keys.authorizationRequest(id), condition: "attribute_exists(pk)" };
}

function toCode(hash: string, item: Item) {
  return {
    hash,
    userId: item.userId as string,
    /** Account of the person, if `userId` is a team. Undefined if `userId` is the person's account. */
    personId: item.personId as string | undefined,
    /** `hashSecret` of the client id. Only the hash is stored, because the id may be long. */
    clientHash: item.clientHash as string,
    clientName: item.clientName as string | null,
    redirectUri: item.redirectUri as string,
    codeChallenge: item.codeChallenge as string,
    // Codes from earlier releases have no scope.
    scope: (item.scope ?? defaultScope) as OAuthScope,
    expiresAtMs: item.expiresAtMs as number,
    /** Id of the token that was issued for the code. Undefined if the code was not used. */
    tokenId: item.tokenId as string | undefined,
  };
}

import { createHash, type Hash } from "node:crypto";
import { ApiError } from "../core/errors.ts";
import { matchesPasscode } from "../core/passcode.ts";
import { ResponseStoredError, type StoredResponse, storedResponses } from "../table/audit-trail.ts";
import { hashSecret } from "../table/identifiers.ts";
import type { Caller } from "../table/tokens.ts";
import { type HttpResponse, jsonHeaders } from "./response.ts";
import { replayedHeader } from "./route.ts";

/** A request that may be repeated. */
interface RepeatableRequest {
  readonly operation: string;
  readonly caller: Pick<Caller, "userId">;
  readonly idempotencyKey: string | undefined;
  readonly nowMs: number;
  /**
   * Computes the request's digest, which is compared with the digests of other requests with the same key. Called only for requests with a
   * key.
   */
  readonly digest: () => string;
  /** Reads the rest of the request. @default - the request has already been read completely */
  readonly readRest?: () => Promise<void>;
  /** The request's passcode. It is compared with the stored hash, because a digest would reveal a short passcode. @default - none */
  readonly passcode?: string | undefined;
  /** Creates the body of a repeated response from the stored body. @default - the stored body */
  readonly presentAgain?: (kept: string) => Promise<string>;
}

/** Creates the idempotency record, which is stored in the same transaction as the write. Returns undefined if the request has no key. */
export type StoreResponse = (response: HttpResponse, passcodeHash?: string) => StoredResponse | undefined;

/**
 * Carries out a request with an Idempotency-Key once. For a day, the same request then gets the same response. `make` carries out the
 * request, and stores the response in the same transaction. Refused requests store nothing. Requests without a key are always carried out.
 *
 * Source: IETF draft "The Idempotency-Key HTTP Header Field", section 2.6.
 *
 * @throws ApiError `idempotency_key_reused` if the key was used for another request before
 */
export async function respondOnce(
  request: RepeatableRequest,
  make: (keep: StoreResponse) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const { idempotencyKey: key, operation, nowMs } = request;
  if (key === undefined) return make(() => undefined);
  const ownerId = request.caller.userId;
  const keyHash = hashSecret(key);
  const kept = await storedResponses.find(ownerId, keyHash, nowMs);
  if (kept !== undefined) return respondAgain(kept, request);
  try {
    return await make(({ status, headers, body }, passcodeHash) => ({
      ...{ ownerId, keyHash, operation, passcodeHash, status, createdAtMs: nowMs },
      requestDigest: request.digest(),
      body: body.toString(),
      entityTag: headers.etag,
    }));
  } catch (error) {
    // Another request with the same key was committed first.
    if (error instanceof ResponseStoredError) return respondAgain(error.kept, request);
    throw error;
  }
}

async function respondAgain(kept: StoredResponse, request: RepeatableRequest): Promise<HttpResponse> {
  if (kept.operation !== request.operation) throw reused(kept);
  await request.readRest?.();
  if (kept.requestDigest !== request.digest() || !(await isSamePasscode(kept, request))) throw reused(kept);
  const { status, body, entityTag } = kept;
  const headers = {
    ...jsonHeaders,
    ...(entityTag === undefined ? {} : { etag: entityTag }),
    [replayedHeader]: "true",
  };
  return { status, headers, body: (await request.presentAgain?.(body)) ?? body };
}

async function isSamePasscode(
  { passcodeHash }: StoredResponse,
  { passcode = "" }: RepeatableRequest,
): Promise<boolean> {
  if (passcodeHash === undefined || passcode === "") return passcodeHash === undefined && passcode === "";
  return matchesPasscode(passcode, passcodeHash);
}

function reused({ operation }: StoredResponse): ApiError {
  return new ApiError("idempotency_key_reused", {
    message: `This Idempotency-Key was already used with another request (${operation}). To get that response again, send exactly the same request. Otherwise use a new key.`,
    details: { header: "idempotency-key" },
  });
}

/**
 * Computes the SHA-256 of a parsed request, in hex, regardless of the order of fields and tags. The value must not contain a passcode,
 * because the digest of a short passcode could be reversed by brute force.
 */
export function requestDigest(value: unknown): string {
  const hash = createHash("sha256");
  add(hash, value);
  return hash.digest("hex");
}

/** Adds a value to a hash. Each text is preceded by its length, so that different values never have the same serialization. */
function add(hash: Hash, value: unknown): void {
  if (typeof value === "string") {
    hash.update(`s${Buffer.byteLength(value)}:`).update(value);
  } else if (typeof value === "object" && value !== null) {
    const entries = (value instanceof Map ? [...value] : Object.entries(value)) as [string, unknown][];
    const present = entries.filter(([, inner]) => inner !== undefined);
    hash.update(`o${present.length}:`);
    for (const [name, inner] of present.sort(([one], [other]) => (one < other ? -1 : 1))) {
      add(hash, name);
      add(hash, inner);
    }
  } else {
    hash.update(`j${JSON.stringify(value)};`);
  }
}

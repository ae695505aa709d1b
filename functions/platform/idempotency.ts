import { createHash, type Hash } from "node:crypto";
import { ApiError } from "./errors.ts";
import { ResponseStoredError, type StoredResponse, storedResponses } from "./idempotency-store.ts";
import { matchesPasscode } from "./passcode.ts";
import { type HttpResponse, jsonHeaders } from "./response.ts";
import { replayedHeader } from "./route.ts";
import { hashSecret } from "./token.ts";
import type { Caller } from "./token-store.ts";

/** A request that may come twice. */
interface RepeatableRequest {
  readonly operation: string;
  readonly caller: Pick<Caller, "userId">;
  readonly idempotencyKey: string | undefined;
  readonly nowMs: number;
  /** What tells it from others with the same key; called when the request has been read, and only where there is a key. */
  readonly digest: () => string;
  /** Reads what of the request has not been read. @default - all of it has been */
  readonly readRest?: () => Promise<void>;
  /** Compared by the hash that the drop keeps: a digest of a short text would give it away. @default - none */
  readonly passcode?: string | undefined;
  /** Makes the body of a repeated response from what was kept of the first. @default - the same */
  readonly presentAgain?: (kept: string) => Promise<string>;
}

/** What of a response goes into the transaction that makes what it tells of; undefined where the request has no key. */
export type Keep = (response: HttpResponse, passcodeHash?: string) => StoredResponse | undefined;

/**
 * Answers a request with an Idempotency-Key once: `make` gives the response and has it kept in its own transaction, and
 * for a day the same request gets the same response again. A refused request keeps nothing. Without a key every request
 * is made.
 *
 * Source: IETF draft "The Idempotency-Key HTTP Header Field", section 2.6.
 *
 * @throws ApiError `idempotency_key_reused` where the key came with another request before
 */
export async function respondOnce(
  request: RepeatableRequest,
  make: (keep: Keep) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const { idempotencyKey: key, caller, nowMs } = request;
  if (key === undefined) return make(() => undefined);
  const keyHash = hashSecret(key);
  const kept = await storedResponses.find(caller.userId, keyHash, nowMs);
  if (kept !== undefined) return respondAgain(kept, request);
  try {
    return await make((response, passcodeHash) => toKept(response, passcodeHash, request, keyHash));
  } catch (error) {
    // Another request with the key was faster.
    if (error instanceof ResponseStoredError) return respondAgain(error.kept, request);
    throw error;
  }
}

function toKept(
  { status, headers, body }: HttpResponse,
  passcodeHash: string | undefined,
  { operation, caller, nowMs, digest }: RepeatableRequest,
  keyHash: string,
): StoredResponse {
  return {
    ownerId: caller.userId,
    keyHash,
    operation,
    requestDigest: digest(),
    passcodeHash,
    status,
    body: body.toString(),
    entityTag: headers.etag,
    createdAtMs: nowMs,
  };
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
    message: `This Idempotency-Key came with another request before (${operation}). Send that one again exactly as it was, or take a new key.`,
    details: { header: "idempotency-key" },
  });
}

/**
 * The sha256 of a request as it was understood, in hex: the same for equal values, whatever the order of their fields
 * and tags, and for no others. Passcodes do not belong in it: a short one could be found by trying all.
 */
export function requestDigest(value: unknown): string {
  const hash = createHash("sha256");
  add(hash, value);
  return hash.digest("hex");
}

/** Each text with its length in front, so that no two values are written alike. */
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

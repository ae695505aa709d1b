import { createHash, type Hash } from "node:crypto";
import { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import type { Act, ActSubject } from "../table/audit.ts";
import { auditWrite } from "../table/audit-trail.ts";
import { hashSecret } from "../table/identifiers.ts";
import { keys, ranges } from "../table/keys.ts";
import { getItem, type Item, queryAll } from "../table/table.ts";
import {
  type NamedWrites,
  type TransactionOutcome,
  type TransactionWrite,
  transact,
} from "../table/table-writes.ts";
import type { Caller } from "../table/tokens.ts";
import { matchesPasscode } from "./passcode.ts";
import { type HttpResponse, jsonHeaders } from "./response.ts";
import { replayedHeader } from "./route.ts";

/** The response to a request with an Idempotency-Key, and the digest of that request. */
export interface StoredResponse {
  readonly ownerId: string;
  /** The SHA-256 of the key. */
  readonly keyHash: string;
  readonly operation: string;
  /** The digest of the request without its passcode. */
  readonly requestDigest: string;
  /** The passcode's hash, as stored with the drop, if the request had a passcode. */
  readonly passcodeHash: string | undefined;
  readonly status: number;
  /** The response's body as JSON. */
  readonly body: string;
  readonly entityTag: string | undefined;
  readonly createdAtMs: number;
}

/** Thrown if another request with the same key was committed first. Nothing of this request was written. */
export class ResponseStoredError extends Error {
  readonly kept: StoredResponse;

  constructor(kept: StoredResponse) {
    super("A response is already stored for this Idempotency-Key.");
    this.name = "ResponseStoredError";
    this.kept = kept;
  }
}

/** Idempotency records, with which repeated requests get the stored response for a day. */
export const storedResponses = {
  /** Finds the stored response of a key. Returns undefined if there is no response or it has expired. */
  async find(ownerId: string, keyHash: string, nowMs: number): Promise<StoredResponse | undefined> {
    const item = await getItem(keys.storedResponse(ownerId, keyHash));
    return item && (item.expiresAtMs as number) > nowMs ? toStoredResponse(item) : undefined;
  },

  /** Lists all stored responses of an account. */
  async list(ownerId: string): Promise<StoredResponse[]> {
    return (await queryAll(ranges.storedResponses(ownerId))).map(toStoredResponse);
  },
};

/** A write that is carried out once, even if it is requested several times. */
interface ActOnce {
  readonly act: Act;
  readonly subject: ActSubject;
  /** The response to store. @default - none */
  readonly kept?: StoredResponse | undefined;
}

/**
 * Commits writes, their audit entry and the idempotency record, if any, in one transaction. The outcome lists failed conditions by their
 * names in `writes`.
 *
 * @throws ResponseStoredError if the key already has a response
 */
export async function transactOnce<Writes extends NamedWrites>(
  writes: Writes,
  { act, subject, kept }: ActOnce,
): Promise<TransactionOutcome<Writes>> {
  const response = kept && storingWrite(kept);
  const outcome = await transact<NamedWrites>({ ...writes, response, line: auditWrite(act, subject) });
  const stored = outcome.committed ? undefined : outcome.failed.get("response");
  if (stored !== undefined) throw new ResponseStoredError(toStoredResponse(stored));
  return outcome as TransactionOutcome<Writes>;
}

/** Creates the write that stores a response. Only an expired response is replaced. */
function storingWrite(kept: StoredResponse): TransactionWrite {
  const { ownerId, keyHash, ...attributes } = kept;
  const expiresAtMs = kept.createdAtMs + limits.idempotencySeconds * 1000;
  return {
    put: {
      ...keys.storedResponse(ownerId, keyHash),
      ...attributes,
      expiresAtMs,
      ttl: Math.ceil(expiresAtMs / 1000),
    },
    condition: "attribute_not_exists(pk) OR expiresAtMs <= :now",
    values: { ":now": kept.createdAtMs },
  };
}

function toStoredResponse(item: Item): StoredResponse {
  return {
    ownerId: (item.pk as string).slice("USER#".length),
    keyHash: (item.sk as string).slice("IDEMPOTENCY#".length),
    operation: item.operation as string,
    requestDigest: item.requestDigest as string,
    passcodeHash: item.passcodeHash as string | undefined,
    status: item.status as number,
    body: item.body as string,
    entityTag: item.entityTag as string | undefined,
    createdAtMs: item.createdAtMs as number,
  };
}

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
  const { idempotencyKey: key, caller, nowMs } = request;
  if (key === undefined) return make(() => undefined);
  const keyHash = hashSecret(key);
  const kept = await storedResponses.find(caller.userId, keyHash, nowMs);
  if (kept !== undefined) return respondAgain(kept, request);
  try {
    return await make((response, passcodeHash) => toKept(response, passcodeHash, request, keyHash));
  } catch (error) {
    // Another request with the same key was committed first.
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

import type { Act, ActSubject } from "./audit.ts";
import { auditWrite } from "./audit-trail.ts";
import { keys, ranges } from "./keys.ts";
import { limits } from "./limits.ts";
import { getItem, type Item, queryAll } from "./table.ts";
import { type TransactionOutcome, type TransactionWrite, transact } from "./table-writes.ts";

/** The response to a request with an Idempotency-Key, and what tells that request from others. */
export interface StoredResponse {
  readonly ownerId: string;
  /** The sha256 of the key. */
  readonly keyHash: string;
  readonly operation: string;
  /** The digest of the request without its passcode. */
  readonly requestDigest: string;
  /** The passcode as the drop keeps it, where the request had one. */
  readonly passcodeHash: string | undefined;
  readonly status: number;
  /** The response's body as JSON. */
  readonly body: string;
  readonly entityTag: string | undefined;
  readonly createdAtMs: number;
}

/** Somebody else's write with the same key was committed before: nothing of this one was. */
export class ResponseStoredError extends Error {
  readonly kept: StoredResponse;

  constructor(kept: StoredResponse) {
    super("A response is kept for this Idempotency-Key.");
    this.name = "ResponseStoredError";
    this.kept = kept;
  }
}

/** Answers that are given again to who asks again, for a day. */
export const storedResponses = {
  /** The response kept for a key, or undefined where there is none, or none any more. */
  async find(ownerId: string, keyHash: string, nowMs: number): Promise<StoredResponse | undefined> {
    const item = await getItem(keys.storedResponse(ownerId, keyHash));
    return item && (item.expiresAtMs as number) > nowMs ? toStoredResponse(item) : undefined;
  },

  /** Every answer that is kept for an account. */
  async list(ownerId: string): Promise<StoredResponse[]> {
    return (await queryAll(ranges.storedResponses(ownerId))).map(toStoredResponse);
  },
};

/** An act that is done once, however often it is asked for. */
interface ActOnce {
  readonly act: Act;
  readonly subject: ActSubject;
  /** The response to keep. @default - none */
  readonly kept?: StoredResponse | undefined;
}

/**
 * Commits what an act does with its line in the audit trail, and with the answer to it where one is to be kept, in one
 * transaction. The indexes of what failed are those of the writes.
 *
 * @throws ResponseStoredError where the response's key has one by now
 */
export async function transactOnce(
  writes: readonly TransactionWrite[],
  { act, subject, kept }: ActOnce,
): Promise<TransactionOutcome> {
  const outcome = await transact([
    ...writes,
    ...(kept ? [storingWrite(kept)] : []),
    auditWrite(act, subject),
  ]);
  const stored = outcome.committed || !kept ? undefined : outcome.failed.get(writes.length);
  if (stored !== undefined) throw new ResponseStoredError(toStoredResponse(stored));
  return outcome;
}

/** Keeps the response in the transaction that makes what it tells of: not over another one, unless that has expired. */
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

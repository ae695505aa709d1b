import { randomInt } from "node:crypto";
import { auditDaysDefault, environmentNames, findEnvironment } from "../core/environment.ts";
import { limits } from "../core/limits.ts";
import type { Act, Actor, ActSubject, AuditLine } from "./audit.ts";
import { randomBase62 } from "./identifiers.ts";
import { keys, ranges } from "./keys.ts";
import { getItem, type Item, queryAll } from "./table.ts";
import {
  type NamedWrites,
  type TransactionOutcome,
  type TransactionWrite,
  transact,
} from "./table-writes.ts";

/** Length of an entry's id: 95 random bits, so that no writer can guess the key of an existing entry. */
const lineIdLength = 16;

/** Creates the write of an audit entry, for the same transaction as the audited action. Either both are committed, or neither is. */
export function auditWrite(act: Act, subject: ActSubject): TransactionWrite {
  const id = randomBase62(randomInt, lineIdLength);
  return { put: toAuditItem({ act, subject, id }), condition: "attribute_not_exists(pk)" };
}

/** Writes an audit entry before the action begins, in its own write, so that interrupted actions have an entry too. */
export async function appendToAudit(act: Act, subject: ActSubject): Promise<void> {
  await transact([auditWrite(act, subject)]);
}

/** Returns the retention of audit entries, in days. */
export function auditDays(): number {
  return Number(findEnvironment(environmentNames.auditDays) ?? auditDaysDefault);
}

/** Returns the time from which DynamoDB may remove an entry, in Unix seconds. */
export function auditEnd(atMs: number): number {
  return Math.ceil(atMs / 1000) + auditDays() * 24 * 60 * 60;
}

/** Parses an item as an audit entry. */
export function toAuditLine(item: Item): AuditLine {
  const [, id = ""] = (item.sk as string).split("#");
  return {
    id,
    act: {
      action: item.action as string,
      actor: toActor(item),
      atMs: item.atMs as number,
      requestId: item.requestId as string | undefined,
      secretsAllowedFor: item.secretsAllowedFor as string | undefined,
    },
    subject: {
      ownerId: item.ownerId as string | undefined,
      newOwnerId: item.newOwnerId as string | undefined,
      slug: item.slug as string | undefined,
      version: item.version as number | undefined,
      blobId: item.blobId as string | undefined,
      thread: item.thread as number | undefined,
      comment: item.comment as number | undefined,
      answer: item.answer as number | undefined,
      access: item.access as string | undefined,
      tokenId: item.subjectTokenId as string | undefined,
      scope: item.scope as ActSubject["scope"],
      provisionedId: item.provisionedId as string | undefined,
      ended: item.ended as ActSubject["ended"],
    },
  };
}

function toAuditItem({ act: { actor, ...act }, subject, id }: AuditLine): Item {
  const { kind, ...ids } = actor;
  const { name, ...attributes } = { name: undefined, ...ids };
  const { tokenId: subjectTokenId, ...subjectIds } = subject;
  return {
    ...keys.auditLine(act.atMs, id, subject.ownerId),
    ...act,
    actor: kind,
    ...attributes,
    // Only administrators and operators have a name.
    [kind]: name,
    ...subjectIds,
    subjectTokenId,
    ttl: auditEnd(act.atMs),
  };
}

/** Parses the actor of an entry. The fields depend on the kind of actor. */
function toActor({ actor: kind, tokenId, personId, identity, administrator, operator }: Item): Actor {
  return { kind, tokenId, personId, identity, name: administrator ?? operator } as Actor;
}

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

/**
 * Commits writes, their audit entry and the idempotency record, if any, in one transaction. The outcome lists failed conditions by their
 * names in `writes`.
 *
 * @throws ResponseStoredError if the key already has a response
 */
export async function transactOnce<Writes extends NamedWrites>(
  writes: Writes,
  {
    act,
    subject,
    kept,
  }: {
    readonly act: Act;
    readonly subject: ActSubject;
    /** The response to store. @default - none */
    readonly kept?: StoredResponse | undefined;
  },
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

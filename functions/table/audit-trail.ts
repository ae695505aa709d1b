import { randomInt } from "node:crypto";
import { auditDaysDefault, environmentNames, findEnvironment } from "../core/environment.ts";
import type { Act, Actor, ActSubject, AuditLine } from "./audit.ts";
import { randomBase62 } from "./identifiers.ts";
import { keys } from "./keys.ts";
import type { Item } from "./table.ts";
import { type TransactionWrite, transact } from "./table-writes.ts";

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

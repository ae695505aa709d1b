import { randomInt } from "node:crypto";
import { auditDaysDefault, environmentNames, findEnvironment } from "../http/environment.ts";
import { randomBase62 } from "./identifiers.ts";
import { keys } from "./keys.ts";
import type { Item } from "./table.ts";
import { type TransactionWrite, transact } from "./table-writes.ts";

/** Action of a first sign-in, recorded beside its operation. */
export const accountCreation = "create-account";

/** A sign-in of somebody who is suspended, banned or no member: nothing is written but its line. */
export const signInRefusal = "refuse-sign-in";

/** Actor of a write: the holder of a token, a person at sign-in, a signed-in reader, or an operator. */
export type Actor =
  | { readonly kind: "token"; readonly tokenId: string }
  | { readonly kind: "visitor" }
  /** By what the identity provider tells one person from another: they may have no account. */
  | { readonly kind: "reader"; readonly identity: string }
  /** By the name that AWS has for whose credentials they are: an ARN. */
  | { readonly kind: "operator"; readonly name: string };

/** Something that somebody does: what its line in the audit trail says whatever it is done to. */
export interface Act {
  /** The id of the operation, or of the operator's command. */
  readonly action: string;
  readonly actor: Actor;
  readonly atMs: number;
  /** @default - there is none: it was no request */
  readonly requestId?: string | undefined;
}

/** Subject of a write, by ids only: no title, name, text, address or secret. */
export interface ActSubject {
  /** The account that it is of, or that it is. */
  readonly ownerId?: string | undefined;
  /** The account that it went to, where it did. */
  readonly newOwnerId?: string | undefined;
  readonly slug?: string | undefined;
  readonly version?: number | undefined;
  /** Id of a file or upload. */
  readonly blobId?: string | undefined;
  /** Number of a feedback thread. */
  readonly thread?: number | undefined;
  readonly comment?: number | undefined;
  /** A token that was given out or revoked. */
  readonly tokenId?: string | undefined;
}

/** A line of the audit trail. */
export interface AuditLine {
  readonly act: Act;
  readonly subject: ActSubject;
  /** Tells it from other lines of the same moment. */
  readonly id: string;
}

/** A sign-in is nobody's before it is over. */
export const visitor: Actor = { kind: "visitor" };

/** A reader as the audit trail names them. */
export function readerActor({ provider, id }: { readonly provider: string; readonly id: string }): Actor {
  return { kind: "reader", identity: `${provider}#${id}` };
}

/** 95 bits: nobody who may put lines can find one to put another over. */
const lineIdLength = 16;

const secondsPerDay = 24 * 60 * 60;

/**
 * The line of what a transaction does: it is the last of its writes, so that there is no write without its line, and no
 * line without its write.
 */
export function auditWrite(act: Act, subject: ActSubject): TransactionWrite {
  const id = randomBase62((exclusiveMax) => randomInt(exclusiveMax), lineIdLength);
  return { put: toAuditItem({ act, subject, id }), condition: "attribute_not_exists(pk)" };
}

/** The line of what no transaction does. Before it is begun: of what ends half-way there is a line then, too. */
export async function appendToAudit(act: Act, subject: ActSubject): Promise<void> {
  await transact([auditWrite(act, subject)]);
}

/** Retention of lines in days. */
function auditDays(): number {
  return Number(findEnvironment(environmentNames.auditDays) ?? auditDaysDefault);
}

/** The line of an item. */
export function toAuditLine(item: Item): AuditLine {
  const [, id = ""] = (item.sk as string).split("#");
  return {
    id,
    act: {
      action: item.action as string,
      actor: toActor(item),
      atMs: item.atMs as number,
      requestId: item.requestId as string | undefined,
    },
    subject: {
      ownerId: item.ownerId as string | undefined,
      newOwnerId: item.newOwnerId as string | undefined,
      slug: item.slug as string | undefined,
      version: item.version as number | undefined,
      blobId: item.blobId as string | undefined,
      thread: item.thread as number | undefined,
      comment: item.comment as number | undefined,
      tokenId: item.subjectTokenId as string | undefined,
    },
  };
}

function toAuditItem({ act, subject, id }: AuditLine): Item {
  const { actor, action, atMs, requestId } = act;
  const { tokenId: subjectTokenId, ...subjectIds } = subject;
  return {
    ...keys.auditLine(atMs, id, subject.ownerId),
    action,
    atMs,
    actor: actor.kind,
    ...(actor.kind === "token" ? { tokenId: actor.tokenId } : {}),
    ...(actor.kind === "reader" ? { identity: actor.identity } : {}),
    ...(actor.kind === "operator" ? { operator: actor.name } : {}),
    requestId,
    ...subjectIds,
    subjectTokenId,
    ttl: Math.ceil(atMs / 1000) + auditDays() * secondsPerDay,
  };
}

function toActor(item: Item): Actor {
  switch (item.actor as Actor["kind"]) {
    case "token":
      return { kind: "token", tokenId: item.tokenId as string };
    case "visitor":
      return { kind: "visitor" };
    case "reader":
      return { kind: "reader", identity: item.identity as string };
    case "operator":
      return { kind: "operator", name: item.operator as string };
  }
}

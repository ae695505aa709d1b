import { createHash } from "node:crypto";

/** How long a line of the audit trail is kept where the operator has not chosen otherwise, in days. */
export const auditDaysDefault = 400;

/** The longest that an operator may choose, of lines and of tokens: ten years. */
export const daysMax = 3_650;

/** What a first sign-in does beside its operation, and has a line of its own for. */
export const accountCreation = "create-account";

/** A sign-in of somebody who is suspended, banned or no member: nothing is written but its line. */
export const signInRefusal = "refuse-sign-in";

/** Who did something: the holder of a token, a person who signs in, one who has signed in to read, or an operator. */
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

/** What something was done to, by ids alone: no title, name, text, address or secret. */
export interface ActSubject {
  /** The account that it is of, or that it is. */
  readonly ownerId?: string | undefined;
  /** The account that it went to, where it did. */
  readonly newOwnerId?: string | undefined;
  readonly slug?: string | undefined;
  readonly version?: number | undefined;
  /** Of a file, or of the upload that will be one. */
  readonly blobId?: string | undefined;
  /** Of what readers and the owner write about a drop. */
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

/**
 * How many partitions a day's lines lie in: one takes about 500 lines of transactions a second (Amazon DynamoDB developer
 * guide, "Best practices for designing and using partition keys effectively"), and each read of a day asks all of them.
 */
export const auditShards = 8;

/** The day in UTC that a moment is of, such as `2026-11-22`. */
export function auditDayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, "2026-11-22".length);
}

/** An account's lines of a day lie in one partition: its tokens' write limits keep that from being a hot one. */
export function auditShardOf(ownerId = ""): number {
  return createHash("sha256").update(ownerId).digest().readUInt32BE() % auditShards;
}

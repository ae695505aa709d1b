import type { TokenScope } from "./identifiers.ts";

/** Action of an account's first sign-in, recorded in addition to the operation. */
export const accountCreation = "create-account";

/** Action of a sign-in that was refused because the person is suspended, banned or not a member. The sign-in writes only this entry. */
export const signInRefusal = "refuse-sign-in";

/**
 * Action of a sign-in with the name of a SCIM user that belongs to another identity. The person gets no groups. Only the identity's first
 * such sign-in is recorded.
 */
export const scimNameTaken = "scim-name-taken";

/** Actions of SCIM clients, recorded in addition to the id of the operation. */
export const scimActions = [
  "create-scim-group",
  "create-scim-user",
  "deactivate-scim-user",
  "delete-scim-group",
  "delete-scim-user",
  "edit-scim-group",
  "edit-scim-user",
  "reactivate-scim-user",
] as const;

/** Actor of a write: the holder of a token, a person at sign-in, a signed-in reader, an administrator, a SCIM client, an operator, or the service itself. */
export type Actor =
  | {
      readonly kind: "token";
      readonly tokenId: string;
      /** Account of the person who acts: the token's own account, or for a team, the account of the person who signed in. @default - a team's service token */
      readonly personId?: string | undefined;
    }
  | { readonly kind: "visitor" }
  /** A reader, identified by their id at the identity provider, and by their account if they have one. */
  | { readonly kind: "reader"; readonly identity: string; readonly personId?: string | undefined }
  /** An administrator who acts on others' accounts and pages, with their user name at the identity provider. */
  | {
      readonly kind: "administrator";
      readonly identity: string;
      readonly personId?: string | undefined;
      readonly name: string;
    }
  /** A SCIM client, identified by the id of its token. */
  | { readonly kind: "scim"; readonly tokenId: string }
  /** An operator, identified by the ARN of their AWS credentials. */
  | { readonly kind: "operator"; readonly name: string }
  /** The service itself, as its settings require. */
  | { readonly kind: "service" };

/** An audited action: the part of an audit entry that does not depend on the subject. */
export interface Act {
  /** The id of the operation, or of the operator's command. */
  readonly action: string;
  readonly actor: Actor;
  readonly atMs: number;
  /** @default - the action was not a request */
  readonly requestId?: string | undefined;
  /** The owner's reason for storing a text with likely secrets. @default - no secrets were found, or no reason was sent */
  readonly secretsAllowedFor?: string | undefined;
}

/** Subject of a write: only ids, numbers and scopes, without titles, names, texts, addresses or secrets. */
export interface ActSubject {
  /** Account that owns the subject, or is the subject itself. */
  readonly ownerId?: string | undefined;
  /** Account that owns the subject after a transfer. */
  readonly newOwnerId?: string | undefined;
  readonly slug?: string | undefined;
  readonly version?: number | undefined;
  /** Id of a file or upload. */
  readonly blobId?: string | undefined;
  /** Number of a feedback thread. */
  readonly thread?: number | undefined;
  readonly comment?: number | undefined;
  /** Number of an answer to a form. */
  readonly answer?: number | undefined;
  /** Id of a request for access. */
  readonly access?: string | undefined;
  /** Id of an issued or revoked token. */
  readonly tokenId?: string | undefined;
  /** Scope of an issued token. */
  readonly scope?: TokenScope | undefined;
  /** Id of a SCIM user or group. */
  readonly provisionedId?: string | undefined;
  /** Access that a deactivation ended, or that a reactivation restored. @default - any other action */
  readonly ended?: EndedAccess | undefined;
}

/** Numbers of tokens, readers' sessions and MCP clients' grants that were ended. */
export interface EndedAccess {
  readonly tokens: number;
  readonly sessions: number;
  readonly grants: number;
}

/** An audit entry. */
export interface AuditLine {
  readonly act: Act;
  readonly subject: ActSubject;
  /** Random id that distinguishes entries with the same time. */
  readonly id: string;
}

/** Actor of a sign-in before the person is known. */
export const visitor: Actor = { kind: "visitor" };

/** Actions of the service itself. */
export const serviceActions = ["expire-drop", "expire-file", "purge-drop", "retention"] as const;

/** Describes an action of the service itself for the audit trail. */
export function serviceAct(action: (typeof serviceActions)[number], atMs: number): Act {
  return { action, actor: { kind: "service" }, atMs };
}

/** Creates the actor of a reader for the audit trail. */
export function readerActor({
  identity: { provider, id },
  userId: personId,
}: {
  readonly identity: { readonly provider: string; readonly id: string };
  readonly userId?: string | undefined;
}): Actor {
  return { kind: "reader", identity: `${provider}#${id}`, personId };
}

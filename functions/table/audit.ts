/** Action of a first sign-in, recorded beside its operation. */
export const accountCreation = "create-account";

/** A sign-in of somebody who is suspended, banned or no member: nothing is written but its line. */
export const signInRefusal = "refuse-sign-in";

/** A sign-in with the name of a SCIM user that belongs to another identity: it gets no groups. One line for each of them. */
export const scimNameTaken = "scim-name-taken";

/** Actions of a SCIM client, beside the id of its operation. */
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

/** Actor of a write: the holder of a token, a person at sign-in, a signed-in reader, a SCIM client, an operator, or the service itself. */
export type Actor =
  | { readonly kind: "token"; readonly tokenId: string }
  | { readonly kind: "visitor" }
  /** By what the identity provider tells one person from another: they may have no account. */
  | { readonly kind: "reader"; readonly identity: string }
  /** The directory that provisions by SCIM, by the id of its token. */
  | { readonly kind: "scim"; readonly tokenId: string }
  /** By the name that AWS has for whose credentials they are: an ARN. */
  | { readonly kind: "operator"; readonly name: string }
  /** The service itself, as its settings say. */
  | { readonly kind: "service" };

/** Something that somebody does: what its line in the audit trail says whatever it is done to. */
export interface Act {
  /** The id of the operation, or of the operator's command. */
  readonly action: string;
  readonly actor: Actor;
  readonly atMs: number;
  /** @default - there is none: it was no request */
  readonly requestId?: string | undefined;
  /** The owner's reason to store a text with likely secrets. @default - none were found, or none came */
  readonly secretsAllowedFor?: string | undefined;
}

/** Subject of a write, by ids and numbers only: no title, name, text, address or secret. */
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
  /** Id of a SCIM user or group. */
  readonly provisionedId?: string | undefined;
  /** Access that a deactivation has ended. @default - the act is no deactivation or reactivation */
  readonly ended?: EndedAccess | undefined;
}

/** Numbers of tokens, of readers' sessions and of MCP clients' grants. */
export interface EndedAccess {
  readonly tokens: number;
  readonly sessions: number;
  readonly grants: number;
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

/** Actions of the service itself. */
export const serviceActions = ["expire-drop", "expire-file", "purge-drop", "retention"] as const;

/** An action that the service does by itself. */
export function serviceAct(action: (typeof serviceActions)[number], atMs: number): Act {
  return { action, actor: { kind: "service" }, atMs };
}

/** A reader as the audit trail names them. */
export function readerActor({ provider, id }: { readonly provider: string; readonly id: string }): Actor {
  return { kind: "reader", identity: `${provider}#${id}` };
}

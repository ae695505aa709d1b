import { limits } from "../core/limits.ts";
import {
  type DescribedPathParameters,
  exampleCreatedAtMs,
  exampleNamespace,
  exampleUpdatedAtMs,
  exampleUserId,
  type OperationExamples,
} from "../core/openapi.ts";
import type { MeResponse, TokenResponse, UsageResponse } from "./schemas.ts";

/** Descriptions of schemas and their fields, keyed by schema name and field path. */
export const fields: Readonly<Record<string, string>> = {
  Me: "The caller's account and the token that made the call.",
  "Me.drop_count": "Number of drops.",
  "Me.token": "The token that made the call.",
  "Me.account": "The account that the token belongs to.",
  "Me.account.namespace":
    "The account's permanent name. The address of its public page begins with this name.",
  "Me.account.kind": "`person`, or `team` if several people publish for the account.",
  "Me.person": "The person who signed in; null for a service token of a team.",
  "Me.person.id": "The id of the person's own account.",
  "Me.person.name": "The user name at the identity provider.",
  TokenInfo: "An API token, without its plaintext.",
  "TokenInfo.id": "The token's identifier. Use it to revoke the token.",
  "TokenInfo.label": "The name that the agent gave itself, or null.",
  "TokenInfo.expires_at":
    "Expiry in Unix milliseconds. After that, the token is refused with 401: sign in again for a new one. Absent if tokens do not expire.",
  "TokenInfo.scope":
    "`read`: changes nothing. `publish`: also publishes, uploads, edits content and replies, but deletes nothing and changes no access. `all`: everything.",
  "TokenInfo.last_used_at": "Unix time in milliseconds.",
  TokenList: "The caller's tokens.",
  "TokenList.tokens": "The tokens, oldest first.",
  Usage: "The account's usage and limits.",
  "Usage.plan": "The account's plan.",
  "Usage.drops": "Drops.",
  "Usage.drops.used": "Current number.",
  "Usage.drops.limit": "Maximum number.",
  "Usage.blobs": "Files.",
  "Usage.blobs.used": "Current number.",
  "Usage.blobs.bytes_used": "Total bytes of all files.",
  "Usage.blobs.bytes_limit": "Maximum total bytes of all files.",
  "Usage.blobs.max_blob_bytes": "Maximum size of one file in bytes.",
  "Usage.subdomains": "Namespaces.",
  "Usage.subdomains.used": "Current number.",
  "Usage.subdomains.limit": "Maximum number.",
};

const tokenId = "Zx81QpLm40Vt";

/** Descriptions of path parameters, keyed by name. If resources need different descriptions, the key includes the resource. */
export const pathParameters: DescribedPathParameters = {
  "tokens id": {
    schema: { type: "string" },
    description: "The token's identifier, from the list of tokens.",
    example: tokenId,
  },
};

/** Descriptions of operations that need more than a summary. */
export const notes: Readonly<Record<string, string>> = {
  "revoke-token": "Any token may revoke itself. Revoking another token needs the scope `all`.",
};

const exampleTokenInfo = {
  id: tokenId,
  label: "my agent",
  created_at: exampleCreatedAtMs,
  last_used_at: exampleUpdatedAtMs,
  scope: "all",
} satisfies TokenResponse;

/** Example calls and responses. */
export const examples = () =>
  ({
    "get-me": {
      response: {
        user_id: exampleUserId,
        created_at: exampleCreatedAtMs,
        drop_count: 1,
        token: exampleTokenInfo,
        account: { namespace: exampleNamespace, kind: "person" },
        person: { id: exampleUserId, name: "ada" },
      } satisfies MeResponse,
    },
    "get-usage": {
      response: {
        plan: "free",
        drops: { used: 1, limit: limits.dropsPerAccountMax },
        blobs: {
          used: 1,
          bytes_used: 48_213,
          bytes_limit: limits.blobBytesPerAccountMax,
          max_blob_bytes: limits.blobBytesMax,
        },
        subdomains: { used: 1, limit: limits.subdomainsPerAccountMax },
      } satisfies UsageResponse,
    },
    "list-tokens": { response: { tokens: [exampleTokenInfo] } },
  }) satisfies OperationExamples;

import * as z from "zod/mini";
import { count, schema, unixMilliseconds } from "../http/schemas.ts";
import { tokenScopes } from "../table/identifiers.ts";

/** A token without its plaintext (specification, section "TokenInfo"). */
export const tokenResponse = /* @__PURE__ */ schema(() =>
  z.object({
    id: z.string(),
    label: z.nullable(z.string()),
    created_at: unixMilliseconds,
    last_used_at: unixMilliseconds,
    // Not part of the specification. Present only if tokens expire.
    expires_at: z.optional(unixMilliseconds),
    // Not part of the specification; see docs/adr/0053-oauth.md.
    scope: z.enum(tokenScopes),
  }),
);

/** Response of `GET /api/tokens`. */
export const tokenListResponse = /* @__PURE__ */ schema(() => z.object({ tokens: z.array(tokenResponse) }));

/** The caller's account and token (specification, section "Me"). */
export const meResponse = /* @__PURE__ */ schema(() =>
  z.object({
    user_id: z.string(),
    created_at: unixMilliseconds,
    drop_count: count,
    token: tokenResponse,
    // The following fields are not part of the specification.
    account: z.object({ namespace: z.string(), kind: z.enum(["person", "team"]) }),
    person: z.nullable(z.object({ id: z.string(), name: z.string() })),
  }),
);

/** The account's usage and limits (specification, section "Usage"). */
export const usageResponse = /* @__PURE__ */ schema(() =>
  z.object({
    plan: z.string(),
    drops: z.object({ used: count, limit: count }),
    blobs: z.object({ used: count, bytes_used: count, bytes_limit: count, max_blob_bytes: count }),
    subdomains: z.object({ used: count, limit: count }),
  }),
);

export type TokenResponse = z.output<typeof tokenResponse>;
export type MeResponse = z.output<typeof meResponse>;
export type UsageResponse = z.output<typeof usageResponse>;

import * as z from "zod/mini";
import { patterns } from "./patterns.ts";
import { schema } from "./schema.ts";

const unixMilliseconds = /* @__PURE__ */ schema(() => z.int().check(z.minimum(0)));
const count = /* @__PURE__ */ schema(() => z.int().check(z.minimum(0)));
const versionNumber = /* @__PURE__ */ schema(() => z.int().check(z.minimum(1)));
const slug = /* @__PURE__ */ schema(() => z.string().check(z.regex(patterns.slug)));

/** Section "Drop" of the specification. */
export const dropAnswer = /* @__PURE__ */ schema(() =>
  z.object({
    slug,
    title: z.string(),
    description: z.nullable(z.string()),
    url: z.url(),
    raw_url: z.url(),
    locked: z.boolean(),
    latest_version: versionNumber,
    view_count: count,
    metadata: z.record(z.string(), z.string()),
    created_at: unixMilliseconds,
    updated_at: unixMilliseconds,
  }),
);

/** Section "DropList" of the specification. */
export const dropListAnswer = /* @__PURE__ */ schema(() =>
  z.object({
    drops: z.array(dropAnswer),
    page: versionNumber,
    page_size: versionNumber,
    total: count,
  }),
);

/** Section "Version" of the specification. */
export const versionAnswer = /* @__PURE__ */ schema(() =>
  z.object({
    slug,
    version: versionNumber,
    size_bytes: count,
    has_context: z.boolean(),
    created_at: unixMilliseconds,
  }),
);

/** `GET /api/drops/{slug}/versions`: latest first. */
export const versionListAnswer = /* @__PURE__ */ schema(() => z.object({ versions: z.array(versionAnswer) }));

/** Section "TokenInfo" of the specification. */
export const tokenAnswer = /* @__PURE__ */ schema(() =>
  z.object({
    id: z.string(),
    label: z.nullable(z.string()),
    created_at: unixMilliseconds,
    last_used_at: unixMilliseconds,
  }),
);

/** `GET /api/tokens`. */
export const tokenListAnswer = /* @__PURE__ */ schema(() => z.object({ tokens: z.array(tokenAnswer) }));

/** Section "Blob" of the specification. */
export const blobAnswer = /* @__PURE__ */ schema(() =>
  z.object({
    id: z.string().check(z.regex(patterns.blobId)),
    filename: z.string(),
    content_type: z.string(),
    size_bytes: count,
    url: z.url(),
    created_at: unixMilliseconds,
  }),
);

/** Section "AuthStart response" of the specification. */
export const signInStartAnswer = /* @__PURE__ */ schema(() =>
  z.object({
    code: z.string().check(z.regex(patterns.deviceCode)),
    verification_url: z.url(),
    poll_token: z.string(),
    expires_in: count,
    poll_interval: count,
  }),
);

/** Section "AuthPoll response" of the specification: the token is there on the first verified read only. */
export const signInPollAnswer = /* @__PURE__ */ schema(() =>
  z.object({
    status: z.enum(["pending", "verified", "expired", "claimed", "not_found"]),
    api_token: z.optional(z.string().check(z.regex(/^hb_/))),
    user_id: z.optional(z.string()),
  }),
);

/** Section "Me" of the specification. */
export const meAnswer = /* @__PURE__ */ schema(() =>
  z.object({
    user_id: z.string(),
    created_at: unixMilliseconds,
    drop_count: count,
    token: tokenAnswer,
  }),
);

/** Section "Usage" of the specification. */
export const usageAnswer = /* @__PURE__ */ schema(() =>
  z.object({
    plan: z.string(),
    drops: z.object({ used: count, limit: count }),
    blobs: z.object({ used: count, bytes_used: count, bytes_limit: count, max_blob_bytes: count }),
    subdomains: z.object({ used: count, limit: count }),
  }),
);

export type DropAnswer = z.output<typeof dropAnswer>;
export type DropListAnswer = z.output<typeof dropListAnswer>;
export type VersionAnswer = z.output<typeof versionAnswer>;
export type TokenAnswer = z.output<typeof tokenAnswer>;
export type BlobAnswer = z.output<typeof blobAnswer>;
export type SignInStartAnswer = z.output<typeof signInStartAnswer>;
export type SignInPollAnswer = z.output<typeof signInPollAnswer>;
export type MeAnswer = z.output<typeof meAnswer>;
export type UsageAnswer = z.output<typeof usageAnswer>;

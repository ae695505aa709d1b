import { limits } from "./limits.ts";
import { patterns } from "./patterns.ts";
import { metadataFilterRule, query, type RawQuery } from "./query-reader.ts";
import { schema } from "./schema.ts";

/** `GET /api/drops`; section "Drops" of the specification. */
export const listDropsQuery = /* @__PURE__ */ schema(() =>
  query(
    {
      page: { type: "integer", minimum: 1, default: 1 },
      pageSize: {
        type: "integer",
        minimum: 1,
        maximum: limits.pageSizeMax,
        default: limits.pageSizeDefault,
      },
      sortBy: { type: "string", enum: ["created_at", "updated_at", "view_count"] },
      sortOrder: { type: "string", enum: ["desc", "asc"] },
      metadata: metadataFilterRule,
    },
    (read) => ({
      page: read.integer("page"),
      pageSize: read.integer("pageSize"),
      sortBy: read.oneOf("sortBy"),
      sortOrder: read.oneOf("sortOrder"),
      filters: read.filters(),
    }),
  ),
);

/** `PUT /api/drops`: what the one drop carries that is meant; docs/adr/0014-upsert.md. */
export const upsertDropQuery = /* @__PURE__ */ schema(() =>
  query({ metadata: metadataFilterRule }, (read) => ({ tags: read.tags() }), ["metadata"]),
);

const pinnedVersion = { v: { type: "integer", minimum: 1 } } as const;

/**
 * `?v=N` on the serving URLs: undefined for the latest version. What is no version number becomes 0, which no
 * drop has, so that people see the 404 page and not an API error.
 */
export const pinnedVersionQuery = /* @__PURE__ */ schema(() =>
  query(pinnedVersion, (_, sent) => readPinnedVersion(sent)),
);

function readPinnedVersion(sent: RawQuery): { readonly version: number | undefined } {
  const [first, ...others] = sent.v ?? [];
  if (first === undefined) return { version: undefined };
  return { version: others.length === 0 && patterns.positiveInteger.test(first) ? Number(first) : 0 };
}

/** `?v=N&proof=` of a context: what the viewer's own link to a locked drop's context carries. */
export const contextQuery = /* @__PURE__ */ schema(() =>
  query({ ...pinnedVersion, proof: { type: "string" } }, (_, sent) => {
    return { ...readPinnedVersion(sent), proof: sent.proof?.[0] };
  }),
);

/** The addresses that show a gate: `/p/<slug>`, `/d/<slug>` and `/p/<slug>/raw`. */
const gateOrigins = ["p", "d", "raw"] as const;

/** `?v=N&from=` of the gate's form: the version, and which of the drop's addresses to go back to. */
export const unlockQuery = /* @__PURE__ */ schema(() =>
  query({ ...pinnedVersion, from: { type: "string", enum: gateOrigins } }, (_, sent) => {
    const from = gateOrigins.find((origin) => origin === sent.from?.[0]) ?? "p";
    return { ...readPinnedVersion(sent), from };
  }),
);

/** `GET /api/auth/poll?token=`: the poll_token. */
export const pollSignInQuery = /* @__PURE__ */ schema(() =>
  query(
    { token: { type: "string", minLength: 1 } },
    (read) => ({ pollToken: read.required("token", "token_required") }),
    ["token"],
  ),
);

/** `GET /api/auth/idp/authorize?code=&proof=`: what the link of the verify page carries. */
export const authorizeQuery = /* @__PURE__ */ schema(() =>
  query(
    { code: { type: "string", minLength: 1 }, proof: { type: "string", minLength: 1 } },
    (read) => ({
      code: read.required("code", "invalid_arg").trim().toUpperCase(),
      proof: read.required("proof", "invalid_arg"),
    }),
    ["code", "proof"],
  ),
);

/** `GET /verify?code=&typed=`: the code, and what a person has typed of it where the page asked for that. */
export const verifyQuery = /* @__PURE__ */ schema(() =>
  query(
    { code: { type: "string", minLength: 1 }, typed: { type: "string" } },
    (read) => ({
      code: read.required("code", "invalid_arg").trim().toUpperCase(),
      typed: read.optional("typed")?.trim().toUpperCase(),
    }),
    ["code"],
  ),
);

/** `GET /api/auth/idp/callback`: RFC 6749, section 4.1.2, and RFC 9207; an error answer has `error` in place of `code`. */
export const callbackQuery = /* @__PURE__ */ schema(() =>
  query(
    {
      state: { type: "string", minLength: 1 },
      code: { type: "string", minLength: 1 },
      iss: { type: "string" },
      error: { type: "string" },
    },
    (read) => {
      const refused = read.optional("error");
      return {
        state: read.required("state", "invalid_arg"),
        code: refused === undefined ? read.required("code", "invalid_arg") : "",
        issuer: read.optional("iss"),
        refused,
      };
    },
    ["state"],
  ),
);

/** `?page=N` of an owner's page: 0 for what is no page number, so that people see the 404 page. */
export const ownerPageQuery = /* @__PURE__ */ schema(() =>
  query({ page: { type: "integer", minimum: 1, default: 1 } }, (_, sent) => {
    const value = sent.page?.[0] ?? "1";
    return { page: patterns.positiveInteger.test(value) ? Number(value) : 0 };
  }),
);

/** `POST /api/blobs?filename=`. */
export const uploadBlobQuery = /* @__PURE__ */ schema(() =>
  query(
    {
      filename: {
        type: "string",
        minLength: 1,
        maxLength: limits.blobFilenameCharactersMax,
        pattern: patterns.filename.source,
      },
    },
    (read) => ({ filename: read.filename("filename") }),
    ["filename"],
  ),
);

/** `GET /api/onboard?format=`: undefined where Accept is to decide. */
export const onboardingQuery = /* @__PURE__ */ schema(() =>
  query({ format: { type: "string", enum: ["json", "md"] } }, (read) => ({
    format: read.optional("format") === undefined ? undefined : read.oneOf("format"),
  })),
);

import * as z from "zod/mini";
import { limits } from "../http/limits.ts";
import { query } from "../http/query.ts";
import { count, patterns, schema, text } from "../http/schemas.ts";
import { isTokenPlaintext } from "../table/identifiers.ts";
import { parseDestination } from "./destination.ts";

/** Section "AuthStart response" of the specification. */
export const signInStartResponse = /* @__PURE__ */ schema(() =>
  z.object({
    code: z.string().check(z.regex(patterns.deviceCode)),
    verification_url: z.url(),
    poll_token: z.string(),
    expires_in: count,
    poll_interval: count,
  }),
);

/** Section "AuthPoll response" of the specification: the token is there on the first verified read only. */
export const signInPollResponse = /* @__PURE__ */ schema(() =>
  z.object({
    status: z.enum(["pending", "verified", "expired", "claimed", "not_found"]),
    api_token: z.optional(z.string().check(z.regex(/^hb_/))),
    user_id: z.optional(z.string()),
  }),
);

export type SignInStartResponse = z.output<typeof signInStartResponse>;
export type SignInPollResponse = z.output<typeof signInPollResponse>;

const label = /* @__PURE__ */ schema(() =>
  text({
    name: "label",
    shownAs: "line",
    codePointsMax: limits.labelCodePointsMax,
    tooLong: "invalid_arg",
  }),
);

/** `POST /api/auth/start`. The label is shown to the human as what the agent calls itself. */
export const startSignInBody = /* @__PURE__ */ schema(() =>
  z.object({
    label: z.optional(z.nullable(label)),
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

/** `GET /api/auth/idp/callback`: RFC 6749, section 4.1.2, and RFC 9207; an error response has `error` in place of `code`. */
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

/** `GET /login/read`: the page to lead to; `"nowhere"` for who only looks as whom they are signed in, undefined for what is no page of ours. */
export const admitReaderQuery = /* @__PURE__ */ schema(() =>
  query(
    { to: { type: "string" }, account: { type: "string", enum: ["any", "other"] } },
    (_, { to, account }) => ({
      to: to === undefined ? ("nowhere" as const) : parseDestination(to.length === 1 ? (to[0] ?? "") : ""),
      wantsAnotherAccount: account?.[0] === "other",
    }),
  ),
);

/** Warns about a poll with another secret or the code in place of the poll_token. */
export function reviewPoll({ query }: { readonly query: unknown }): readonly string[] {
  const { pollToken } = query as { readonly pollToken: string };
  if (patterns.deviceCode.test(pollToken.trim().toUpperCase())) {
    return ["token is the code that the human sees: poll with the poll_token of the same response."];
  }
  if (!isTokenPlaintext(pollToken.trim())) return [];
  return [
    "token is an API token, so the sign-in is done already: send it as Authorization: Bearer <API_TOKEN>.",
  ];
}

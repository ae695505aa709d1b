import * as z from "zod/mini";
import { limits } from "../core/limits.ts";
import { choice, freeText, requiredText } from "../http/query.ts";
import { count, patterns, problem, schema, text } from "../http/schemas.ts";
import { isTokenPlaintext, tokenScopes } from "../table/identifiers.ts";

/** Response that starts a sign-in (specification, section "AuthStart response"). */
export const signInStartResponse = /* @__PURE__ */ schema(() =>
  z.object({
    code: z.string().check(z.regex(patterns.deviceCode)),
    verification_url: z.url(),
    poll_token: z.string(),
    expires_in: count,
    poll_interval: count,
  }),
);

/** Response to a poll (specification, section "AuthPoll response"). Only the first response with the status `verified` has the token. */
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

/** Body of `POST /api/auth/start`. The verification page shows the label as unverified, and explains the scope. */
export const startSignInBody = /* @__PURE__ */ schema(() =>
  z.object({
    label: z.optional(z.nullable(label)),
    scope: z.optional(z.enum(tokenScopes)),
  }),
);

/** Query of `GET /api/auth/poll?token=`, where `token` is the poll token. */
export const pollSignInQuery = /* @__PURE__ */ schema(() =>
  z.object({ token: requiredText("token_required", ": the poll_token of the sign-in, not its code") }),
);

/** Accepts a device code in upper or lower case. */
const upperCase = /* @__PURE__ */ schema(() => z.transform((code: string) => code.trim().toUpperCase()));

/** Query of `GET /api/auth/idp/authorize?code=&proof=`, the target of the verification page's link. */
export const authorizeQuery = /* @__PURE__ */ schema(() =>
  z.object({ code: z.pipe(requiredText(), upperCase), proof: requiredText() }),
);

/** Query of `GET /verify?code=&typed=`. `typed` is the part of the code that the person typed, if the page asked for it. */
export const verifyQuery = /* @__PURE__ */ schema(() =>
  z.object({ code: z.pipe(requiredText(), upperCase), typed: z.optional(z.pipe(freeText(), upperCase)) }),
);

/** Query of the provider's callback. An error response has `error` instead of `code` (RFC 6749, section 4.1.2; RFC 9207). */
export const callbackQuery = /* @__PURE__ */ schema(() =>
  z.pipe(
    z.object({
      state: requiredText(),
      code: z.optional(requiredText()),
      iss: z.optional(freeText()),
      error: z.optional(freeText()),
    }),
    z.transform(({ state, code = "", iss: issuer, error: refused }, context) => {
      if (code === "" && refused === undefined) {
        const issue = problem("invalid_arg", "is required.");
        context.issues.push({ code: "custom", input: code, path: ["code"], ...issue });
      }
      return { state, code, issuer, refused };
    }),
  ),
);

/** Query of `GET /login/read`: the page to return to, and whether to sign in with another account. */
export const admitReaderQuery = /* @__PURE__ */ schema(() =>
  z.object({
    to: z.optional(z.catch(freeText(), "")),
    account: z._default(z.catch(choice(["any", "other", "again"]), "any"), "any"),
  }),
);

/** Explains the mistake if a poll sends the code or an API token instead of the poll token. */
export function reviewPoll({ query }: { readonly query: unknown }): readonly string[] {
  const { token } = query as { readonly token: string };
  if (patterns.deviceCode.test(token.trim().toUpperCase())) {
    return ["token is the code that the human sees: poll with the poll_token from the same response."];
  }
  if (!isTokenPlaintext(token.trim())) return [];
  return [
    "token is an API token, so the sign-in is done already: send it as Authorization: Bearer <API_TOKEN>.",
  ];
}

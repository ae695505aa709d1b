import { refused, unauthorized, type WrongCall } from "./wrong-call.ts";

/** A call with this for its Authorization. */
function authorized(what: string, authorization: string | readonly string[], hint: RegExp): WrongCall {
  return refused(what, "GET /api/me", { headers: { authorization } }, unauthorized, hint);
}

/** Tokens that are none, or come in another way than the one there is. */
export const wrongAuthorizations: readonly WrongCall[] = [
  authorized("no Authorization", "", /no Authorization header.*POST \S+\/api\/auth\/start/s),
  authorized("a token without its scheme", "{token}", /before the token.*Bearer|Bearer.*before the token/),
  authorized("another scheme", "Basic aGI6aGI=", /Basic/),
  authorized("the scheme Token", "Token {token}", /Token.*Bearer/),
  authorized("a scheme without a token", "Bearer", /no token/),
  authorized("a colon after the scheme", "Bearer: {token}", /colon/),
  authorized("a token in quotation marks", 'Bearer "{token}"', /quotation marks/),
  authorized("the guide's braces", "Bearer {api_token}", /placeholder/),
  authorized("the specification's placeholder", "Bearer <API_TOKEN>", /placeholder/),
  authorized("a variable that no shell has filled in", "Bearer $TOKEN", /placeholder/),
  authorized("a variable that was not there", "Bearer undefined", /placeholder/),
  authorized("the poll token in its place", "Bearer {poll}", /poll_token/),
  authorized("the device code in its place", "Bearer {code}", /code.*poll/),
  authorized("a token that was cut off", "Bearer {cut}", /39 characters.*35 came/),
  authorized("a mistyped token", "Bearer {mistyped}", /mistyped/),
  authorized("a token of another service", "Bearer sk-0123456789abcdef0123456789", /hb_/),
  authorized("a token that nobody was given", "Bearer {unknown}", /revoked|expired/),
  authorized("a revoked token", "Bearer {revoked}", /revoked[\s\S]*\/api\/auth\/start/),
  authorized("two headers", ["Bearer {token}", "Bearer {token}"], /one Authorization/),
  refused(
    "the token in the address",
    "GET /api/me?token={unknown}",
    { headers: { authorization: "" } },
    unauthorized,
    /address.*revoke/i,
  ),
  refused(
    "access_token in the address",
    "GET /api/drops?access_token={unknown}",
    { headers: { authorization: "" } },
    unauthorized,
    /address.*revoke/i,
  ),
  refused(
    "a header of another name",
    "GET /api/me",
    { headers: { authorization: "", "x-api-key": "{token}" } },
    unauthorized,
    /X-API-Key/i,
  ),
];

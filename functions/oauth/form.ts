import { type HttpRequest, parseForm, singleHeader } from "../http/request.ts";
import { invalidRequest } from "./oauth-error.ts";

/** Parameters of an OAuth request. */
export type Parameters = ReturnType<typeof readParameters>;

/** Advice that an error message gives for a missing parameter. */
const parameterHints: Readonly<Record<string, string>> = {
  grant_type:
    "Send grant_type=authorization_code with a code, or grant_type=refresh_token with a refresh token.",
  client_id: "Send the client_id from the response of POST /oauth/register.",
  code_verifier:
    "code_verifier is the secret from which code_challenge was computed for /oauth/authorize (PKCE, S256).",
  refresh_token: "The refresh_token was in the response with your last access token.",
  code: "code is in the URL to which /oauth/authorize redirects.",
};

/**
 * Reads the form of a client's request. Most parameters may occur only once, and a parameter with an empty value is treated as missing (RFC
 * 6749, section 3.2).
 *
 * @throws OAuthError `invalid_request`
 */
export function readParameters(request: HttpRequest, body: Uint8Array) {
  const type = singleHeader(request, "content-type") ?? "";
  if (!/^\s*application\/x-www-form-urlencoded\s*(;|$)/i.test(type))
    throw invalidRequest(
      "Send the parameters as a form: Content-Type: application/x-www-form-urlencoded. An agent without a browser gets its token by POST /api/auth/start instead.",
    );
  const form = parseForm(body);
  const find = (name: string) => {
    const values = form.getAll(name);
    if (values.length > 1) throw invalidRequest(`${name} is given ${values.length} times; once is allowed.`);
    return values[0] === "" ? undefined : values[0];
  };
  const requireAll = (...names: readonly string[]) => {
    const missing = names.filter((name) => find(name) === undefined);
    if (missing.length === 0) return;
    const hints = missing.flatMap((name) => parameterHints[name] ?? []);
    const are = missing.length === 1 ? "is" : "are";
    throw invalidRequest([`${missing.join(", ")} ${are} missing.`, ...hints].join(" "));
  };
  return {
    /** Returns a parameter's value. Returns undefined if the parameter is missing or empty. */
    find,
    /** Returns a parameter's value. @throws OAuthError `invalid_request` if the parameter is missing or empty */
    require(name: string) {
      requireAll(name);
      return find(name) ?? "";
    },
    /** Requires that several parameters are present. @throws OAuthError `invalid_request` with the names of all missing parameters */
    requireAll,
    /** Returns all values of a parameter that may occur several times. */
    all: (name: string) => form.getAll(name),
  };
}

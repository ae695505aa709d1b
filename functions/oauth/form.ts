import { type HttpRequest, parseForm, singleHeader } from "../http/request.ts";
import { OAuthError } from "./oauth-error.ts";

/**
 * Parameters of an OAuth request. A parameter may occur only once, and a parameter with an empty value is treated as missing (RFC 6749,
 * section 3.2).
 */
export interface Parameters {
  /** Returns a parameter's value. Returns undefined if the parameter is missing or empty. */
  find(name: string): string | undefined;
  /** Returns a parameter's value. @throws OAuthError `invalid_request` if the parameter is missing or empty */
  require(name: string): string;
  /**
   * Requires that several parameters are present. @throws OAuthError `invalid_request` with the names of all missing or empty parameters
   */
  requireAll(...names: readonly string[]): void;
  /** Returns all values of a parameter that may occur several times. */
  all(name: string): readonly string[];
}

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
 * Reads the form of a client's request.
 *
 * @throws OAuthError `invalid_request`
 */
export function readParameters(request: HttpRequest, body: Uint8Array): Parameters {
  const type = singleHeader(request, "content-type") ?? "";
  if (!/^\s*application\/x-www-form-urlencoded\s*(;|$)/i.test(type))
    throw new OAuthError(
      "invalid_request",
      "Send the parameters as a form: Content-Type: application/x-www-form-urlencoded. An agent without a browser gets its token by POST /api/auth/start instead.",
    );
  const form = parseForm(body);
  const find = (name: string) => {
    const values = form.getAll(name);
    if (values.length > 1)
      throw new OAuthError("invalid_request", `${name} is given ${values.length} times; once is allowed.`);
    return values[0] === "" ? undefined : values[0];
  };
  const requireAll = (...names: readonly string[]) => {
    const missing = names.filter((name) => find(name) === undefined);
    if (missing.length === 0) return;
    const hints = missing.flatMap((name) => parameterHints[name] ?? []);
    const are = missing.length === 1 ? "is" : "are";
    throw new OAuthError("invalid_request", [`${missing.join(", ")} ${are} missing.`, ...hints].join(" "));
  };
  return {
    find,
    require(name) {
      requireAll(name);
      return find(name) ?? "";
    },
    requireAll,
    all: (name) => form.getAll(name),
  };
}

import { type HttpRequest, parseForm, singleHeader } from "../http/request.ts";
import { OAuthError } from "./oauth-error.ts";

/** The parameters of a request to these endpoints: each is there once, or has no value (RFC 6749, section 3.2). */
export interface Parameters {
  /** Undefined where it is missing or empty. */
  find(name: string): string | undefined;
  /** @throws OAuthError `invalid_request` where it is missing or empty */
  require(name: string): string;
  /** All values of a repeatable parameter. */
  all(name: string): readonly string[];
}

/**
 * Reads what a client has sent in a form.
 *
 * @throws OAuthError `invalid_request`
 */
export function readParameters(request: HttpRequest, body: Uint8Array): Parameters {
  const type = singleHeader(request, "content-type") ?? "";
  if (!/^\s*application\/x-www-form-urlencoded\s*(;|$)/i.test(type))
    throw new OAuthError(
      "invalid_request",
      "Send the parameters as a form: Content-Type: application/x-www-form-urlencoded.",
    );
  const form = parseForm(body);
  const find = (name: string) => {
    const values = form.getAll(name);
    if (values.length > 1)
      throw new OAuthError("invalid_request", `${name} is given ${values.length} times; once is allowed.`);
    return values[0] === "" ? undefined : values[0];
  };
  return {
    find,
    require(name) {
      const value = find(name);
      if (value === undefined) throw new OAuthError("invalid_request", `${name} is missing.`);
      return value;
    },
    all: (name) => form.getAll(name),
  };
}

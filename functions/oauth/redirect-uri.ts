import { oauthLimits } from "./limits.ts";

/** The hosts of a program on somebody's own machine; RFC 8252, section 7.3, and `localhost`, which many clients say. */
const loopbackHosts = new Set(["127.0.0.1", "[::1]", "localhost"]);

/** A URI in the characters of RFC 3986, without a fragment, as it goes into a header. */
const uriPattern = /^[A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=%]+$/;

/**
 * What is wrong with an address to which codes are to be sent; undefined where nothing is. Nobody but the client may answer
 * there: https, or a program on the machine of whoever lets it in (RFC 8252, section 7.3; RFC 9700, section 2.6).
 */
export function redirectUriProblem(text: unknown): string | undefined {
  if (typeof text !== "string") return "is no string";
  if (text.length > oauthLimits.redirectUriCharactersMax)
    return `has ${text.length} characters; at most ${oauthLimits.redirectUriCharactersMax} are allowed`;
  if (text.includes("#")) return "has a fragment, which no redirect URI may have";
  if (!uriPattern.test(text) || !URL.canParse(text)) return "is no absolute URI";
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== "" || password !== "") return "has a user name in it";
  if (protocol === "https:" || (protocol === "http:" && loopbackHosts.has(hostname))) return undefined;
  return "is neither https nor http on localhost, 127.0.0.1 or [::1]";
}

/** Whether codes may go to an address: one that the client has said, or on the machine itself the same at any port. */
export function isRedirectUriOf(known: readonly string[], uri: string): boolean {
  return known.some(
    (one) => one === uri || (isLoopback(one) && isLoopback(uri) && portless(one) === portless(uri)),
  );
}

/** Whether an address is of a program on the machine of whoever lets it in. */
export function isLoopback(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  return protocol === "http:" && loopbackHosts.has(hostname);
}

/** RFC 8252, section 7.3: the port is what the machine had free. */
function portless(uri: string): string {
  const url = new URL(uri);
  url.port = "";
  return url.href;
}

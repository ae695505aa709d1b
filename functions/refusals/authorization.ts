import { apiKeyHeader, edgeHeaders } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import { type HttpRequest, parseQuery } from "../http/request.ts";
import { patterns } from "../http/schemas.ts";
import { guideUrl, readSite } from "../http/site.ts";

/** Names of headers and query parameters in which other services accept a token. */
const otherHeaders = [apiKeyHeader, ..."api-key apikey x-auth-token x-access-token x-token token".split(" ")];
const otherParameters = "token access_token api_token api_key apikey key auth".split(" ");

/** Length of a token: `hb_` and 36 letters or digits. */
const tokenCharacters = 39;

/** Creates the error for a request without exactly one well-formed token. Does not quote the sent value, which may be a secret. */
export function explainAuthorization(request: HttpRequest): ApiError {
  const site = readSite(request);
  const [reason, fault] = faultOf(request);
  const signIn = `${site.baseUrl}/api/auth/start`;
  const guide = guideUrl(site);
  const way = `Send the header Authorization: Bearer <API_TOKEN>; to get a token: POST ${signIn} (${guide}).`;
  return new ApiError("unauthorized", {
    message: `${fault} ${way}`,
    details: { reason, sign_in: signIn, guide },
  });
}

type Fault = readonly [reason: "no_token" | "wrong_scheme" | "token_malformed", fault: string];

function faultOf(request: HttpRequest): Fault {
  const { authorization: [value, ...others] = [] } = request.headers;
  if (value === undefined) return ["no_token", faultOfAbsent(request)];
  if (others.length > 0)
    return ["token_malformed", `Send one Authorization header, not ${others.length + 1}.`];
  return faultOfValue(value.trim());
}

function faultOfAbsent(request: HttpRequest): string {
  const header = [edgeHeaders.sentKey, ...otherHeaders].find((name) => request.headers[name] !== undefined);
  const query = parseQuery(request.rawQuery);
  const parameter = otherParameters.find((name) => query[name] !== undefined);
  const shown = header === edgeHeaders.sentKey ? apiKeyHeader : header;
  if (shown !== undefined) return `A token in the header ${shown} is ignored.`;
  if (request.headers["x-passcode"] !== undefined || request.headers["x-password"] !== undefined)
    return "A passcode is not a token. It unlocks the page /d/{slug} in a browser, but nothing in the API.";
  if (parameter === undefined) return "The Authorization header is missing.";
  return "A token in the address is ignored, and may be logged: revoke it if it is a real token.";
}

function faultOfValue(value: string): Fault {
  const [, scheme = "", rest = ""] = /^(\S+)\s*(.*)$/.exec(value) ?? [];
  if (/^hb_/.test(value)) return ["wrong_scheme", "The scheme Bearer is missing before the token."];
  if (/^Bearer:/i.test(scheme)) return ["token_malformed", "Leave out the colon after Bearer."];
  if (scheme.toLowerCase() !== "bearer") {
    const shown = /^[A-Za-z-]{1,20}$/.test(scheme) ? scheme : "another";
    return ["wrong_scheme", `The scheme must be Bearer, not ${shown}.`];
  }
  return ["token_malformed", faultOfToken(rest)];
}

function faultOfToken(token: string): string {
  if (token === "") return "There is no token after Bearer.";
  if (/^["'`]/.test(token)) return "Leave out the quotation marks around the token.";
  if (
    /^[{<$%[]/.test(token) ||
    /^(undefined|null|none|nan|api_token|your[-_ ]?\w*token|token|\.{3})$/i.test(token)
  ) {
    return "The token is a placeholder. Replace it with the real token.";
  }
  if (patterns.deviceCode.test(token.toUpperCase())) {
    return "This is the code for the human, not the API token. To get the token, poll with the poll_token from the same response.";
  }
  if (/[\s,]/.test(token)) return "Send one token, without white space or commas.";
  if (!token.startsWith("hb_")) {
    return "This is not an API token: API tokens begin with hb_. To get one with a poll_token: GET /api/auth/poll?token=<poll_token>.";
  }
  if (token.length !== tokenCharacters) {
    return `The token is incomplete or too long: a token has ${tokenCharacters} characters, and this one has ${token.length}.`;
  }
  return "The token is mistyped: its checksum is wrong.";
}

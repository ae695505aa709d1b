import { randomBytes } from "node:crypto";
import { type HttpRequest, readCookies } from "../http/request.ts";
import { hostCookie } from "../http/response.ts";
import { cookieKeys, isSignedCookie, sign, signCookie } from "../table/cookie-keys.ts";
import { type Destination, parseDestination } from "./destination.ts";

// A cookie in the reader's browser contains the data of an unfinished sign-in, so the service stores nothing. The cookie's name contains
// the OAuth `state`. A callback without this cookie is refused, because another browser started the sign-in (RFC 6749, section 10.12).

/** Time for signing in at the identity provider, in seconds. */
const readerSignInSeconds = 600;

const statePattern = /^reader-([\w-]{22})$/;

/** Recognizes the OAuth `state` of a reader's sign-in. For an agent's sign-in, `state` is a device code, which has another format. */
export function isReaderState(state: string): boolean {
  return statePattern.test(state);
}

/** Starts a sign-in that ends with a redirect to the destination. */
export async function startReaderSignIn(destination: Destination, nowMs: number) {
  await cookieKeys.ensure();
  const key = await cookieKeys.signing();
  const nonce = randomBytes(16).toString("base64url");
  const payload = Buffer.from(destination).toString("base64url");
  const expiresAtMs = nowMs + readerSignInSeconds * 1000;
  const value = `${payload}.${signCookie(key, purpose(nonce, payload), { nonce, expiresAtMs })}`;
  return {
    /** The `state` of the authorization request (RFC 6749, section 4.1.1). */
    state: `reader-${nonce}`,
    codeVerifier: codeVerifier(key, nonce),
    cookie: hostCookie(cookieName(nonce), value, readerSignInSeconds),
  };
}

/** Finds the sign-in with a callback's `state`. Returns undefined if the sign-in has expired or was started in another browser. */
export async function findReaderSignIn(
  request: HttpRequest,
  state: string,
  nowMs: number,
): Promise<{ readonly destination: Destination; readonly codeVerifier: string } | undefined> {
  const [, nonce = ""] = statePattern.exec(state) ?? [];
  const value = readCookies(request)[cookieName(nonce)] ?? "";
  const dot = value.indexOf(".");
  const payload = value.slice(0, Math.max(dot, 0));
  const destination = parseDestination(Buffer.from(payload, "base64url").toString());
  if (destination === undefined) return undefined;
  const isSignedWith = (key: string) =>
    isSignedCookie(key, purpose(nonce, payload), value.slice(dot + 1), nowMs);
  return cookieKeys.find((key) =>
    isSignedWith(key) ? { destination, codeVerifier: codeVerifier(key, nonce) } : undefined,
  );
}

/** `Set-Cookie` value that deletes the cookie of a finished sign-in. */
export function endedReaderSignInCookie(state: string): string {
  const [, nonce = ""] = statePattern.exec(state) ?? [];
  return hostCookie(cookieName(nonce), "", 0);
}

function purpose(nonce: string, payload: string): readonly string[] {
  return ["reader-sign-in", nonce, payload];
}

/** Derives a PKCE code verifier of 43 characters, the minimum length (RFC 7636, section 4.1), with a key that only the service has. */
function codeVerifier(key: string, nonce: string): string {
  return sign(key, ["reader-code-verifier", nonce]);
}

/** Returns the name of a cookie for one sign-in, so that two sign-ins in one browser do not interfere. */
function cookieName(nonce: string): `__Host-${string}` {
  return `__Host-dl_to_${nonce}`;
}

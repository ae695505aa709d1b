import { randomBytes } from "node:crypto";
import { hostCookie, isSignedCookie, sign, signCookie } from "../http/cookies.ts";
import { type HttpRequest, readCookies } from "../http/request.ts";
import { cookieKeys } from "../table/cookie-keys.ts";
import { type Destination, parseDestination } from "./destination.ts";

// Time that a person may take to sign in at the identity provider, in seconds. The sign-in's data stays in a
// cookie of the browser that starts it, named by the state. So visits to the provider's page store nothing,
// and a response that another browser started is refused (RFC 6749, section 10.12).

/** The time that a person may take to sign in at the identity provider. */
const readerSignInSeconds = 600;

/** A sign-in of a reader on its way to the identity provider. */
export interface StartedReaderSignIn {
  /** The `state` of the authorization request (RFC 6749, section 4.1.1). */
  readonly state: string;
  /** RFC 7636: derived with the key, which no one else has. */
  readonly codeVerifier: string;
  readonly cookie: string;
}

const statePattern = /^reader-([\w-]{22})$/;

/** Recognizes the state of a reader's sign-in; device codes have another form. */
export function isReaderState(state: string): boolean {
  return statePattern.test(state);
}

/** Begins a sign-in that returns to the destination. */
export async function startReaderSignIn(
  destination: Destination,
  nowMs: number,
): Promise<StartedReaderSignIn> {
  await cookieKeys.ensure();
  const key = await cookieKeys.signing();
  const nonce = randomBytes(16).toString("base64url");
  const payload = Buffer.from(destination).toString("base64url");
  const expiresAtMs = nowMs + readerSignInSeconds * 1000;
  const value = `${payload}.${signCookie(key, purpose(nonce, payload), { nonce, expiresAtMs })}`;
  return {
    state: `reader-${nonce}`,
    codeVerifier: codeVerifier(key, nonce),
    cookie: stateCookie(nonce, value, readerSignInSeconds),
  };
}

/** Finds the sign-in of a callback's state in this browser; undefined for an unknown or expired one. */
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

/** Deletes the cookie of a sign-in that has ended. */
export function endedReaderSignInCookie(state: string): string {
  const [, nonce = ""] = statePattern.exec(state) ?? [];
  return stateCookie(nonce, "", 0);
}

function purpose(nonce: string, payload: string): readonly string[] {
  return ["reader-sign-in", nonce, payload];
}

/** Code verifier of 43 characters, the minimum and alphabet of RFC 7636, section 4.1. */
function codeVerifier(key: string, nonce: string): string {
  return sign(key, ["reader-code-verifier", nonce]);
}

function stateCookie(nonce: string, value: string, maxAge: number): string {
  return hostCookie(cookieName(nonce), value, maxAge);
}

/** Name of a cookie for one sign-in, so that two in one browser do not end each other. */
function cookieName(nonce: string): `__Host-${string}` {
  return `__Host-dl_to_${nonce}`;
}

import { randomBytes } from "node:crypto";
import { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { hostCookie, isSignature, isSignedCookie, sign, signCookie } from "../http/cookies.ts";
import { type HttpRequest, readCookies } from "../http/request.ts";
import { patterns } from "../http/schemas.ts";
import { cookieKeys } from "../table/cookie-keys.ts";
import { hashSecret } from "../table/identifiers.ts";
import { type DeviceCode, deviceCodeSearch, pollStatus } from "./device-codes.ts";

// A stranger may start a sign-in and send somebody else's browser through it (RFC 8628, section 5.4). Where the
// provider asks nothing of those who are signed in there, no click would be needed. So the way on is open only from
// the verify page's own link, which no other page can read, and the way back only to who took it.

/** Marks the browser that sees a code's verify page, and proves that its link was followed from there. */
export async function startVerification(
  code: string,
  nowMs: number,
): Promise<{ readonly cookie: string; readonly proof: string }> {
  await cookieKeys.ensure();
  const key = await cookieKeys.signing();
  const value = signStep(key, "verify", code, nowMs);
  return { cookie: setCookie("verify", code, value), proof: sign(key, ["proof", code, value]) };
}

/**
 * Lets on only who followed the link of the verify page that this browser was shown, and returns the cookie that the
 * callback asks for.
 *
 * @throws ApiError `invalid_arg` otherwise.
 */
export async function continueVerification(
  request: HttpRequest,
  { code, proof }: { readonly code: string; readonly proof: string },
  nowMs: number,
): Promise<string> {
  const value = readCookies(request)[cookieName("verify", code)] ?? "";
  const holdsWith = (key: string) =>
    isSignedCookie(key, ["verify", code], value, nowMs) && isSignature(key, ["proof", code, value], proof);
  if (!(await cookieKeys.holds(holdsWith))) throw notFromHere();
  return setCookie("continue", code, signStep(await cookieKeys.signing(), "continue", code, nowMs));
}

/**
 * Lets back only the browser that went to the provider from here.
 *
 * @throws ApiError `invalid_arg` otherwise.
 */
export async function requireContinued(request: HttpRequest, code: string, nowMs: number): Promise<void> {
  const value = readCookies(request)[cookieName("continue", code)];
  const holdsWith = (key: string) => isSignedCookie(key, ["continue", code], value, nowMs);
  if (value === undefined || !(await cookieKeys.holds(holdsWith))) throw notFromHere();
}

type Step = "verify" | "continue";

function signStep(key: string, step: Step, code: string, nowMs: number): string {
  const nonce = randomBytes(16).toString("base64url");
  return signCookie(key, [step, code], { nonce, expiresAtMs: nowMs + limits.deviceCodeSeconds * 1000 });
}

function setCookie(step: Step, code: string, value: string): string {
  return hostCookie(cookieName(step, code), value, limits.deviceCodeSeconds);
}

/** One cookie a code, so that two sign-ins in one browser do not end each other. */
function cookieName(step: Step, code: string): `__Host-${string}` {
  return `__Host-dl_${step}_${code}`;
}

function notFromHere(): ApiError {
  return new ApiError("invalid_arg", {
    message:
      "This sign-in was not started on its verification page in this browser. Open the page that your agent shows, and follow its link.",
  });
}

/** A code waits as long for its human as, once verified, for its claim. */
const keptSeconds = 2 * limits.deviceCodeSeconds;

/**
 * Cookie of a sign-in for a token of one's own. It holds the poll token, so this browser takes the agent's part, and nobody else
 * can see the token.
 */
export function browserSignInCookie(code: string, pollToken: string): string {
  return setBrowserCookie(code, pollToken, keptSeconds);
}

/** Takes the cookie back: its sign-in has ended. */
export function endedBrowserSignInCookie(code: string): string {
  return setBrowserCookie(code, "", 0);
}

/** The poll token of a sign-in that this browser started for itself; undefined where it started none. */
export function browserPollToken(request: HttpRequest, code: string): string | undefined {
  return readCookies(request)[browserCookieName(code)] || undefined;
}

/** Recognizes a sign-in that this browser started without an agent. */
export function isBrowserSignIn(request: HttpRequest, { code, pollTokenHash }: DeviceCode): boolean {
  const pollToken = browserPollToken(request, code);
  return pollToken !== undefined && hashSecret(pollToken) === pollTokenHash;
}

function setBrowserCookie(code: string, value: string, maxAge: number): string {
  return hostCookie(browserCookieName(code), value, maxAge);
}

/** One cookie a code, so that two sign-ins in one browser do not end each other. */
function browserCookieName(code: string): `__Host-${string}` {
  return `__Host-dl_own_${code}`;
}

/**
 * A device code that waits for its human.
 *
 * @throws ApiError `invalid_arg` for any other: section "Authentication endpoints" of the specification.
 */
export async function requirePending(code: string, nowMs: number): Promise<DeviceCode> {
  const found = patterns.deviceCode.test(code) ? await deviceCodeSearch.find(code) : undefined;
  if (found !== undefined && pollStatus(found, nowMs) === "pending") return found;
  throw notPendingError();
}

/** The refusal of a code that does not wait for its human, or not any more. */
export function notPendingError(): ApiError {
  return new ApiError("invalid_arg", {
    message: "This sign-in is unknown, finished or older than 10 minutes. Ask the agent for a new code.",
  });
}

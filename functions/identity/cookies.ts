import { randomBytes } from "node:crypto";
import { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { type HttpRequest, readCookies } from "../http/request.ts";
import { hostCookie } from "../http/response.ts";
import { patterns } from "../http/schemas.ts";
import { cookieKeys, isSignature, isSignedCookie, sign, signCookie } from "../table/cookie-keys.ts";
import { hashSecret } from "../table/identifiers.ts";
import { type DeviceCode, deviceCodeSearch, pollStatus } from "./device-codes.ts";

// Cookies bind a sign-in to one browser. An attacker may start a sign-in and lead another person's browser through this sign-in (RFC 8628,
// section 5.4). If that person is signed in at the provider, the sign-in could complete without a click. Therefore, the browser must follow
// the link on the verification page, which other sites cannot read, and the same browser must return from the provider.

/** Creates the cookie that binds a code's verification page to this browser, and the proof that the page's link contains. */
export async function startVerification(code: string, nowMs: number) {
  await cookieKeys.ensure();
  const key = await cookieKeys.signing();
  const value = signStep(key, "verify", code, nowMs);
  return { cookie: setCookie("verify", code, value), proof: sign(key, ["proof", code, value]) };
}

/** Requires that the browser followed its verification page's link. Returns the cookie for the callback. @throws ApiError `invalid_arg` */
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

/** Requires that the browser followed the verification page's link to the provider. @throws ApiError `invalid_arg` otherwise */
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

/** Returns the name of a cookie for one code, so that two sign-ins in one browser do not interfere. */
function cookieName(step: Step, code: string): `__Host-${string}` {
  return `__Host-dl_${step}_${code}`;
}

function notFromHere(): ApiError {
  return new ApiError("invalid_arg", {
    message:
      "This sign-in was not started on its verification page in this browser. Open the page that your agent shows, and follow the link on that page.",
  });
}

/** Lifetime of a cookie for a sign-in without an agent. The person first verifies the code and then claims the token. */
const browserSignInSeconds = 2 * limits.deviceCodeSeconds;

/** Creates the cookie for a sign-in without an agent: the poll token, so that only this browser can claim the API token. */
export function browserSignInCookie(code: string, pollToken: string): string {
  return hostCookie(browserCookieName(code), pollToken, browserSignInSeconds);
}

/** `Set-Cookie` value that deletes the cookie of a finished sign-in without an agent. */
export function endedBrowserSignInCookie(code: string): string {
  return hostCookie(browserCookieName(code), "", 0);
}

/** Reads the poll token of a sign-in that this browser started without an agent. Returns undefined if the cookie is missing. */
export function browserPollToken(request: HttpRequest, code: string): string | undefined {
  return readCookies(request)[browserCookieName(code)] || undefined;
}

/** Checks whether this browser started the sign-in without an agent. */
export function isBrowserSignIn(request: HttpRequest, { code, pollTokenHash }: DeviceCode): boolean {
  const pollToken = browserPollToken(request, code);
  return pollToken !== undefined && hashSecret(pollToken) === pollTokenHash;
}

function browserCookieName(code: string): `__Host-${string}` {
  return `__Host-dl_own_${code}`;
}

/** Finds a pending device code. @throws ApiError `invalid_arg` for any other code (specification, section "Authentication endpoints") */
export async function requirePending(code: string, nowMs: number): Promise<DeviceCode> {
  const found = patterns.deviceCode.test(code) ? await deviceCodeSearch.find(code) : undefined;
  if (found !== undefined && pollStatus(found, nowMs) === "pending") return found;
  throw notPendingError();
}

/** Error for a code that is unknown or no longer pending. */
export function notPendingError(): ApiError {
  return new ApiError("invalid_arg", {
    message: "This sign-in is unknown, finished or older than 10 minutes. Ask the agent for a new code.",
  });
}

import { stringifySetCookie } from "cookie";
import { limits } from "../contract/limits.ts";
import type { DeviceCode } from "../domain/device-code.ts";
import { hashSecret } from "../domain/token.ts";
import { readCookies } from "./cookies.ts";
import type { HttpRequest } from "./request.ts";

/** A code waits as long for its human as, once verified, for its claim. */
const keptSeconds = 2 * limits.deviceCodeSeconds;

/**
 * The cookie by which a browser asks for a token of its own: it holds the sign-in's poll token, so that this browser
 * is to the service what an agent is in any other sign-in, and nobody else can see the token.
 */
export function ownSignInCookie(code: string, pollToken: string): string {
  return setCookie(code, pollToken, keptSeconds);
}

/** Takes the cookie back: its sign-in has ended. */
export function endedOwnSignInCookie(code: string): string {
  return setCookie(code, "", 0);
}

/** The poll token of a sign-in that this browser started for itself; undefined where it started none. */
export function ownPollToken(request: HttpRequest, code: string): string | undefined {
  return readCookies(request)[cookieName(code)] || undefined;
}

/** Whether this browser started the sign-in for itself, and no agent did. */
export function isOwnSignIn(request: HttpRequest, { code, pollTokenHash }: DeviceCode): boolean {
  const pollToken = ownPollToken(request, code);
  return pollToken !== undefined && hashSecret(pollToken) === pollTokenHash;
}

function setCookie(code: string, value: string, maxAge: number): string {
  return stringifySetCookie({
    name: cookieName(code),
    value,
    httpOnly: true,
    secure: true,
    sameSite: "lax",
    path: "/",
    maxAge,
  });
}

/** One cookie a code, so that two sign-ins in one browser do not end each other. */
function cookieName(code: string): string {
  return `__Host-dl_own_${code}`;
}

import { stringifySetCookie } from "cookie";
import { ApiError } from "../contract/api-error.ts";
import { limits } from "../contract/limits.ts";
import { isSignedCookie, signCookie } from "../domain/signed-cookie.ts";
import { secrets } from "../store/secrets.ts";
import { readCookies } from "./cookies.ts";
import type { HttpRequest } from "./request.ts";

/**
 * The cookie that binds a browser to the device code that it was shown: without it, someone could send a victim
 * straight to the provider and have the victim's account verify the sender's code (RFC 8628, section 5.4).
 */
export async function verifyCookie(code: string, nowMs: number): Promise<string> {
  const expiresAtMs = nowMs + limits.deviceCodeSeconds * 1000;
  return stringifySetCookie({
    name: cookieName(code),
    value: signCookie(await secrets.cookieKey(), ["verify", code], expiresAtMs),
    httpOnly: true,
    secure: true,
    sameSite: "lax",
    path: "/",
    maxAge: limits.deviceCodeSeconds,
  });
}

/**
 * Lets only the browser on that saw the code's verify page.
 *
 * @throws ApiError `invalid_arg` without its cookie.
 */
export async function requireVerifyCookie(request: HttpRequest, code: string, nowMs: number): Promise<void> {
  const key = await secrets.cookieKey();
  if (isSignedCookie(key, ["verify", code], readCookies(request)[cookieName(code)], nowMs)) return;
  throw new ApiError("invalid_arg", {
    message: "This sign-in did not start in this browser. Open the verification page that your agent shows.",
  });
}

/** One cookie a code, so that two sign-ins in one browser do not end each other. */
function cookieName(code: string): string {
  return `__Host-dl_verify_${code}`;
}

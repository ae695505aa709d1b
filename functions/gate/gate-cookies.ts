import { hostCookie } from "../http/cookies.ts";

/** The name of the cookie that opens a drop's gate on a host. */
export function gateCookieName(slug: string): `__Host-${string}` {
  return `__Host-dl_${slug}`;
}

/** The `Set-Cookie` value that deletes that cookie. */
export function endedGateCookie(slug: string): string {
  return hostCookie(gateCookieName(slug), "", 0);
}

/**
 * The name of the cookie that identifies a browser at a drop's gate. Each drop has its own, because the edge forwards it to that drop only.
 */
export function browserCookieName(slug: string): `__Host-${string}` {
  return `__Host-dl_tries_${slug}`;
}

/** The `Set-Cookie` value that deletes the gate's cookie of this browser. */
export function endedBrowserCookie(slug: string): string {
  return hostCookie(browserCookieName(slug), "", 0);
}

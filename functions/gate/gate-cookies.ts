import { hostCookie } from "../http/cookies.ts";

/** Name of the cookie that unlocks a drop on a host. */
export function gateCookieName(slug: string): `__Host-${string}` {
  return `__Host-dl_${slug}`;
}

/** `Set-Cookie` value that deletes the cookie that unlocks a drop. */
export function endedGateCookie(slug: string): string {
  return hostCookie(gateCookieName(slug), "", 0);
}

/**
 * Name of the cookie that identifies a browser at a drop's passcode page. Each drop has its own cookie, because the
 * edge forwards the cookie only to that drop.
 */
export function browserCookieName(slug: string): `__Host-${string}` {
  return `__Host-dl_tries_${slug}`;
}

/** `Set-Cookie` value that deletes the cookie that identifies a browser. */
export function endedBrowserCookie(slug: string): string {
  return hostCookie(browserCookieName(slug), "", 0);
}

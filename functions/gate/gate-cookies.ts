import { hostCookie } from "../http/cookies.ts";

/** Returns the name of the cookie that unlocks a drop on a host. */
export function gateCookieName(slug: string): `__Host-${string}` {
  return `__Host-dl_${slug}`;
}

/** Returns the `Set-Cookie` value that deletes a drop's unlock cookie. */
export function endedGateCookie(slug: string): string {
  return hostCookie(gateCookieName(slug), "", 0);
}

/**
 * Returns the name of the cookie that identifies a browser on a drop's passcode page. Each drop has its own cookie,
 * because the edge forwards only the cookies of the requested drop.
 */
export function browserCookieName(slug: string): `__Host-${string}` {
  return `__Host-dl_tries_${slug}`;
}

/** Returns the `Set-Cookie` value that deletes a drop's browser cookie. */
export function endedBrowserCookie(slug: string): string {
  return hostCookie(browserCookieName(slug), "", 0);
}

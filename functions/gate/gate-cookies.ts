import { hostCookie } from "../http/cookies.ts";

/** The name of the cookie that opens a drop's gate on a host. */
export function gateCookieName(slug: string): `__Host-${string}` {
  return `__Host-dl_${slug}`;
}

/** The `Set-Cookie` value that takes it back. */
export function endedGateCookie(slug: string): string {
  return hostCookie(gateCookieName(slug), "", 0);
}

/** The name of the cookie that a gate knows a browser by. One a drop: the edge lets each through to its own alone. */
export function browserCookieName(slug: string): `__Host-${string}` {
  return `__Host-dl_tries_${slug}`;
}

/** The `Set-Cookie` value that has the gate know nothing of this browser. */
export function endedBrowserCookie(slug: string): string {
  return hostCookie(browserCookieName(slug), "", 0);
}

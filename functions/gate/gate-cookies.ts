/** Returns the name of the cookie that unlocks a drop on a host. */
export function gateCookieName(slug: string): `__Host-${string}` {
  return `__Host-dl_${slug}`;
}

/**
 * Returns the name of the cookie that identifies a browser on a drop's passcode page. Each drop has its own cookie,
 * because the edge forwards only the cookies of the requested drop.
 */
export function browserCookieName(slug: string): `__Host-${string}` {
  return `__Host-dl_tries_${slug}`;
}

import { parseSetCookie, type SetCookie, stringifyCookie } from "cookie";

interface StoredCookie {
  readonly name: string;
  readonly value: string;
  readonly host: string;
  readonly path: string;
}

/**
 * The cookies of one browser, stored as RFC 6265, section 5.3, specifies for host-only cookies. Secure cookies are
 * sent over http to localhost, as browsers do (Secure Contexts, section 3.1).
 */
export class CookieJar {
  #cookies: StoredCookie[] = [];

  /** Stores the cookies that a response from this address sets. */
  store(url: URL, setCookies: readonly string[]): void {
    for (const line of setCookies) {
      const cookie = parseSetCookie(line);
      const stored = {
        name: cookie.name,
        value: cookie.value ?? "",
        host: url.hostname,
        path: pathOf(cookie, url),
      };
      checkPrefix(cookie);
      this.#cookies = this.#cookies.filter((other) => !isSame(other, stored));
      if (!isExpired(cookie)) this.#cookies.push(stored);
    }
  }

  /** Returns the Cookie header of a request to the address; undefined when no cookie matches. */
  headerFor(url: URL): string | undefined {
    const matching = this.#cookies.filter(
      ({ host, path }) => host === url.hostname && matchesPath(url.pathname, path),
    );
    if (matching.length === 0) return undefined;
    return stringifyCookie(Object.fromEntries(matching.map(({ name, value }) => [name, value])), {
      encode: String,
    });
  }
}

function pathOf(cookie: SetCookie, url: URL): string {
  if (cookie.domain !== undefined)
    throw new Error(`${cookie.name} has a Domain: every owner's page could read it.`);
  return cookie.path ?? (url.pathname.replace(/\/[^/]*$/, "") || "/");
}

function checkPrefix({ name, path, secure }: SetCookie): void {
  if (name.startsWith("__Host-") && !(secure && path === "/")) {
    throw new Error(`${name} needs Secure and Path=/; browsers refuse it without.`);
  }
}

function isSame(one: StoredCookie, other: StoredCookie): boolean {
  return one.name === other.name && one.host === other.host && one.path === other.path;
}

function isExpired({ maxAge, expires }: SetCookie): boolean {
  return maxAge === undefined ? expires !== undefined && expires.getTime() <= Date.now() : maxAge <= 0;
}

function matchesPath(requested: string, path: string): boolean {
  return requested === path || requested.startsWith(path.endsWith("/") ? path : `${path}/`);
}

import { createHash, randomBytes } from "node:crypto";
import { hostCookie } from "../platform/host-cookie.ts";
import { parsePageQuery, presentPageQuery } from "../platform/page-query.ts";
import { type HttpRequest, readCookies } from "../platform/request.ts";

/** As long as somebody may take to sign in at the identity provider. */
export const readerSignInSeconds = 600;

/** What a ticket says of a browser: the SHA-256 of its secret. */
export function bindOf(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

/**
 * A secret of this browser's on the drop's host, by which that host knows the ticket that the browser comes back with. What the
 * page is asked with stays there as well: neither the service's own host nor the identity provider is told.
 */
export function startBinding(
  slug: string,
  pageQuery: string,
): { readonly cookie: string; readonly bind: string } {
  const secret = randomBytes(16).toString("base64url");
  const value = pageQuery === "" ? secret : `${secret}.${presentPageQuery(pageQuery)}`;
  return { cookie: bindingCookie(slug, value, readerSignInSeconds), bind: bindOf(secret) };
}

/** The browser's secret, and what it asked the page with; undefined where it is not on its way through sign-in. */
export function bindingOf(
  request: HttpRequest,
  slug: string,
): { readonly secret: string; readonly pageQuery: string } | undefined {
  const value = readCookies(request)[bindingCookieName(slug)];
  if (value === undefined) return undefined;
  const [secret = "", pageQuery = ""] = value.split(".");
  return { secret, pageQuery: parsePageQuery(pageQuery) };
}

/** Takes the secret back: its ticket has come. */
export function endedBindingCookie(slug: string): string {
  return bindingCookie(slug, "", 0);
}

function bindingCookie(slug: string, value: string, maxAge: number): string {
  return hostCookie(bindingCookieName(slug), value, maxAge);
}

/** One cookie a drop, so that two ways through sign-in do not end each other. */
function bindingCookieName(slug: string): `__Host-${string}` {
  return `__Host-dl_bind_${slug}`;
}

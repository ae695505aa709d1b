import { cookieKeys } from "../platform/cookie-keys.ts";
import { hostCookie } from "../platform/host-cookie.ts";
import { type HttpRequest, readCookies } from "../platform/request.ts";
import { isSignature, sign } from "../platform/signed-cookie.ts";

/**
 * What a reader's browser shows a drop's host: which session it is of. What that session's reader may, is looked up each
 * time: docs/adr/0041-a-reader-signs-in-at-the-base-host.md.
 */
export interface Pass {
  readonly host: string;
  readonly slug: string;
  /** `sessionReference` of the session's id. */
  readonly session: string;
  readonly expiresAtMs: number;
}

/** The name of a drop's pass; the edge lets no other drop's through. */
function passCookieName(slug: string): `__Host-${string}` {
  return `__Host-dl_read_${slug}`;
}

/** `1.<expiry>.<session>.<HMAC-SHA256 of host, slug, session, expiry>`. */
export function signPass(key: string, pass: Pass): string {
  const expiry = Math.floor(pass.expiresAtMs / 1000);
  return `1.${expiry}.${pass.session}.${sign(key, signedParts(pass, expiry))}`;
}

/** The session of a pass; undefined where it was not signed by the key for this host and drop, or has expired. */
export function sessionOfPass(
  key: string,
  { host, slug }: Pick<Pass, "host" | "slug">,
  value: string,
  nowMs: number,
): string | undefined {
  const [, seconds = "", session = "", signature = ""] =
    /^1\.([0-9]{1,12})\.([\w-]{43})\.([\w-]{43})$/.exec(value) ?? [];
  const expiry = Number(seconds);
  if (signature === "" || expiry * 1000 <= nowMs) return undefined;
  return isSignature(key, signedParts({ host, slug, session }, expiry), signature) ? session : undefined;
}

/** The value of the pass that a request brings, good or not; undefined where it brings none. */
export function passOf(request: HttpRequest, slug: string): string | undefined {
  return readCookies(request)[passCookieName(slug)];
}

/** The session that a request's pass names for this drop on this host; undefined without a good one. */
export async function findPassSession(
  request: HttpRequest,
  slug: string,
  nowMs: number,
): Promise<string | undefined> {
  const value = passOf(request, slug);
  if (value === undefined) return undefined;
  let session: string | undefined;
  await cookieKeys.holds((key) => {
    session ??= sessionOfPass(key, { host: request.host, slug }, value, nowMs);
    return session !== undefined;
  });
  return session;
}

/** The `Set-Cookie` value of a pass. */
export async function passCookie(pass: Pass, nowMs: number): Promise<string> {
  const seconds = Math.floor((pass.expiresAtMs - nowMs) / 1000);
  return hostCookie(
    passCookieName(pass.slug),
    signPass(await cookieKeys.signing(), pass),
    Math.max(0, seconds),
  );
}

/**
 * Marks a browser in which somebody has come in by a ticket on this host: what seems not to be there may be for them, and they
 * need not say so each time. It opens nothing.
 */
export function knownReaderCookie(maxAge: number): string {
  return hostCookie(knownReaderName, "1", maxAge);
}

/** Whether a request comes from such a browser. */
export function isOfKnownReader(request: HttpRequest): boolean {
  return readCookies(request)[knownReaderName] !== undefined;
}

const knownReaderName = "__Host-dl_known";

function signedParts({ host, slug, session }: Pick<Pass, "host" | "slug" | "session">, expiry: number) {
  return ["pass", host.toLowerCase(), slug, session, expiry];
}

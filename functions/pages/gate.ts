import type { Drop } from "../drops/drop.ts";
import { cookieKeys } from "../platform/cookie-keys.ts";
import { hostCookie } from "../platform/host-cookie.ts";
import { limits } from "../platform/limits.ts";
import { page } from "../platform/page-operation.ts";
import { type HttpRequest, readCookies } from "../platform/request.ts";
import { isFromForeignPage } from "../platform/request-origin.ts";
import type { HttpResponse } from "../platform/response.ts";
import { isSignature, sign } from "../platform/signed-cookie.ts";
import { drawnUrl, type Site } from "../platform/site.ts";
import type { Destination } from "../readers/destination.ts";
import { gateCookieName } from "./gate-cookies.ts";
import { type GateWait, renderGatePage, renderReloadPage } from "./gate-page.tsx";

// Gates stand on the base host only, where no published page has the origin: docs/adr/0075-guarded-drops-on-the-base-host.md.

/** Tells whether a drop is not locked, or a request of its reader's brings the cookie of its gate. */
export async function hasGatePass(request: HttpRequest, drop: Drop, nowMs: number): Promise<boolean> {
  if (drop.gate.kind === "open") return true;
  if (isFromForeignPage(request)) return false;
  const value = readCookies(request)[gateCookieName(drop.slug)];
  return (
    value !== undefined && cookieKeys.holds((key) => isGatePass(key, passOf(request, drop), value, nowMs))
  );
}

/** The `Set-Cookie` value that opens a drop's gate for seven days. */
export async function gateCookie(request: HttpRequest, drop: Drop, nowMs: number): Promise<string> {
  return hostCookie(
    gateCookieName(drop.slug),
    signGatePass(await cookieKeys.signing(), passOf(request, drop), nowMs),
    limits.passcodeCookieSeconds,
  );
}

/** A drop's gate, and the address that it leads back to. */
interface GateAddress {
  readonly slug: string;
  readonly to: Destination;
}

/** The page with the passcode form: 200 at first, 403 after a wrong passcode, 429 after too many. */
export function gatePage(
  { slug, to }: GateAddress,
  refusal:
    | { readonly status: 200; readonly cardUrl?: string }
    | { readonly status: 403 }
    | { readonly status: 429; readonly wait: GateWait },
): HttpResponse {
  const wait = refusal.status === 429 ? refusal.wait : undefined;
  const cardUrl = refusal.status === 200 ? refusal.cardUrl : undefined;
  const facts = { action: gateAction("unlock", slug, to), wrong: refusal.status === 403, wait, cardUrl };
  const response = page("gate", (nonce) => renderGatePage({ ...facts, nonce }), { status: refusal.status });
  if (wait === undefined) return response;
  return { ...response, headers: { ...response.headers, "retry-after": String(wait.seconds) } };
}

/** The address of the form that opens or closes a drop's gate and leads back to the destination. */
export function gateAction(action: "unlock" | "lock", slug: string, to: Destination): string {
  const path = `/p/${slug}/${action}`;
  return to === `/p/${slug}` ? path : `${path}?to=${encodeURIComponent(to)}`;
}

/** The card of a locked drop, which all guarded drops share. */
export function gateCardUrl(site: Site, slug: string): string {
  return drawnUrl(site, undefined, { slug, name: "card" });
}

function passOf(request: HttpRequest, drop: Drop) {
  return { host: request.host, slug: drop.slug, epoch: drop.gate.epoch };
}

/** What an unlock cookie is good for: one drop on one host, until its passcode changes. */
interface GatePass {
  readonly host: string;
  readonly slug: string;
  /** The gate's epoch: it rises when the passcode changes or goes, and earlier cookies end. */
  readonly epoch: number;
}

/** The cookie's value, good for seven days: `1.<expiry>.<epoch>.<HMAC-SHA256 of host, slug, epoch, expiry>`. */
function signGatePass(key: string, pass: GatePass, nowMs: number): string {
  const expiry = Math.floor(nowMs / 1000) + limits.passcodeCookieSeconds;
  return `1.${expiry}.${pass.epoch}.${sign(key, signedParts(pass, expiry))}`;
}

/** Compares a cookie's value with the gate as it is now. */
function isGatePass(key: string, pass: GatePass, value: string, nowMs: number): boolean {
  const pattern = /^1\.([0-9]{1,12})\.([0-9]{1,12})\.([A-Za-z0-9_-]{43})$/;
  const [, expiry = "", epoch = "", signature = ""] = pattern.exec(value) ?? [];
  if (signature === "" || Number(epoch) !== pass.epoch || Number(expiry) * 1000 <= nowMs) return false;
  return isSignature(key, signedParts(pass, Number(expiry)), signature);
}

function signedParts({ host, slug, epoch }: GatePass, expiry: number) {
  return ["gate", host.toLowerCase(), slug, epoch, expiry];
}

/**
 * What the viewer's frame shows of a locked drop without a cookie: the gate cannot work there, since a sandboxed page
 * that sends a form, or loads itself again, brings no SameSite cookie.
 */
export function reloadPage(): HttpResponse {
  return page("framed", (nonce) => renderReloadPage({ nonce }));
}

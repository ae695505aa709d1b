import { randomBytes } from "node:crypto";
import { limits } from "../core/limits.ts";
import type { Drop } from "../drops/drop.ts";
import { page } from "../html/page.ts";
import { type HttpRequest, readCookies } from "../http/request.ts";
import { type HttpResponse, hostCookie } from "../http/response.ts";
import { drawnUrl, isFromForeignPage, type Site } from "../http/site.ts";
import type { Destination } from "../identity/destination.ts";
import { isOpenToAll } from "../policies/access.ts";
import { cookieKeys, isSignature, sign } from "../table/cookie-keys.ts";
import { browserCookieName, gateCookieName } from "./gate-cookies.ts";
import { type GateWait, renderGatePage, renderReloadPage } from "./gate-page.tsx";

/**
 * A browser that opens a drop's passcode page. Each browser has its own limit for wrong passcodes; see
 * docs/adr/0002-rate-limits.md.
 */
export interface GateBrowser {
  /** Random id. @default - the request has no id */
  readonly id?: string | undefined;
  /** True if the browser has unlocked this drop with the current passcode. */
  readonly hasOpened: boolean;
}

const browserPattern = /^([A-Za-z0-9_-]{22})(?:\.([0-9]{1,12})\.([A-Za-z0-9_-]{43}))?$/;

/**
 * Identifies the browser that sent a request. An id gives no access, so a client may invent one. A client cannot forge the signature that
 * proves an earlier unlock.
 */
export async function findGateBrowser(request: HttpRequest, drop: Drop): Promise<GateBrowser> {
  const [, id, epoch, signature] =
    browserPattern.exec(readCookies(request)[browserCookieName(drop.slug)] ?? "") ?? [];
  if (id === undefined || signature === undefined || Number(epoch) !== drop.gate.epoch)
    return { id, hasOpened: false };
  const parts = browserSignature(request, drop, id);
  return { id, hasOpened: await cookieKeys.holds((key) => isSignature(key, parts, signature)) };
}

/** Returns the `Set-Cookie` value that proves to the passcode page that this browser has unlocked the drop. */
export async function openedGateCookie(
  request: HttpRequest,
  drop: Drop,
  { id = createId() }: GateBrowser,
): Promise<string> {
  const signature = sign(await cookieKeys.signing(), browserSignature(request, drop, id));
  const value = `${id}.${drop.gate.epoch}.${signature}`;
  return hostCookie(browserCookieName(drop.slug), value, limits.gateOpenedCookieSeconds);
}

/** Returns the id of the browser that sent a request. The `Set-Cookie` values are empty, unless the browser needs a new id. */
export function identifyBrowser(
  request: HttpRequest,
  slug: string,
): { readonly id: string; readonly cookies: readonly string[] } {
  const name = browserCookieName(slug);
  const [, known] = browserPattern.exec(readCookies(request)[name] ?? "") ?? [];
  if (known !== undefined) return { id: known, cookies: [] };
  const id = createId();
  return { id, cookies: [hostCookie(name, id, limits.gateVisitorCookieSeconds)] };
}

function createId(): string {
  return randomBytes(16).toString("base64url");
}

function browserSignature({ host }: HttpRequest, { slug, gate }: Drop, id: string) {
  return ["gate-browser", host.toLowerCase(), slug, gate.epoch, id];
}

/**
 * Checks that a drop is not locked, or that the request has a valid passcode cookie. Only the base host sets this cookie,
 * because no published page shares that host's origin; see docs/adr/0026-guarded-drops.md.
 */
export async function hasGatePass(request: HttpRequest, drop: Drop, nowMs: number): Promise<boolean> {
  if (drop.gate.kind === "open") return true;
  if (isFromForeignPage(request)) return false;
  const value = readCookies(request)[gateCookieName(drop.slug)] ?? "";
  const [, expiry = "", epoch, signature] = passPattern.exec(value) ?? [];
  if (signature === undefined || Number(epoch) !== drop.gate.epoch || Number(expiry) * 1000 <= nowMs)
    return false;
  return cookieKeys.holds((key) => isSignature(key, passSignature(request, drop, Number(expiry)), signature));
}

const passPattern = /^1\.([0-9]{1,12})\.([0-9]{1,12})\.([A-Za-z0-9_-]{43})$/;

/**
 * Returns the `Set-Cookie` value that unlocks a drop on a host for seven days, or until the passcode changes:
 * `1.<expiry>.<epoch>.<HMAC-SHA256 of host, slug, epoch, expiry>`.
 */
export async function gateCookie(request: HttpRequest, drop: Drop, nowMs: number): Promise<string> {
  const expiry = Math.floor(nowMs / 1000) + limits.passcodeCookieSeconds;
  const signature = sign(await cookieKeys.signing(), passSignature(request, drop, expiry));
  const value = `1.${expiry}.${drop.gate.epoch}.${signature}`;
  return hostCookie(gateCookieName(drop.slug), value, limits.passcodeCookieSeconds);
}

/** Returns the values that the signature of an unlock cookie covers. Changing or removing the passcode increases the epoch. */
function passSignature({ host }: HttpRequest, { slug, gate }: Drop, expiry: number) {
  return ["gate", host.toLowerCase(), slug, gate.epoch, expiry];
}

/**
 * Builds the response with the passcode form, which returns to `to`. The status is 200 at first, 403 after a wrong
 * passcode, and 429 after too many attempts.
 */
export function gatePage(
  { slug, to }: { readonly slug: string; readonly to: Destination },
  refusal:
    | { readonly status: 200; readonly cardUrl?: string; readonly isInAddress?: boolean }
    | { readonly status: 403 }
    | { readonly status: 429; readonly wait: GateWait },
): HttpResponse {
  const wait = refusal.status === 429 ? refusal.wait : undefined;
  const cardUrl = refusal.status === 200 ? refusal.cardUrl : undefined;
  const isInAddress = refusal.status === 200 && refusal.isInAddress === true;
  const wrong = refusal.status === 403;
  const facts = { action: gateAction("unlock", slug, to), wrong, wait, cardUrl, isInAddress };
  const response = page("gate", (nonce) => renderGatePage({ ...facts, nonce }), { status: refusal.status });
  if (wait === undefined) return response;
  return { ...response, headers: { ...response.headers, "retry-after": String(wait.seconds) } };
}

/** Builds the action URL of the form that unlocks or locks a drop and returns to the destination. */
export function gateAction(action: "unlock" | "lock", slug: string, to: Destination): string {
  const path = `/p/${slug}/${action}`;
  return to === `/p/${slug}` ? path : `${path}?to=${encodeURIComponent(to)}`;
}

/** Returns the URL of the neutral preview picture that all guarded drops share. */
export function gateCardUrl(site: Site, slug: string): string {
  return drawnUrl(site, undefined, { slug, name: "card" });
}

/**
 * Responds to the viewer's frame if the drop is locked and the request has no cookie. The passcode form cannot work in
 * the frame, because requests from a sandboxed page carry no SameSite cookie.
 */
export function reloadPage(): HttpResponse {
  return page("framed", (nonce) => renderReloadPage({ nonce }));
}

/**
 * Returns the query with which a viewer polls its drop's state. Open drops need no query. Locked drops use a key that
 * all readers share, so that the edge can cache the response. Restricted drops use `reader=1`, so that each request
 * checks the session.
 */
export async function stateQueryOf(drop: Drop): Promise<string> {
  if (!isOpenToAll(drop)) return "?reader=1";
  if (drop.gate.kind === "open") return "";
  return `?key=${sign(await cookieKeys.signing(), stateSignature(drop))}`;
}

/** Checks a state key against the drop's current passcode. */
export async function hasStateKey(drop: Drop, key: string | undefined): Promise<boolean> {
  if (key === undefined || !isOpenToAll(drop)) return false;
  return cookieKeys.holds((signing) => isSignature(signing, stateSignature(drop), key));
}

/** Returns the values that a state key signs. Changing the passcode increases the epoch. */
function stateSignature({ slug, gate }: Drop): readonly (string | number)[] {
  return ["state", slug, gate.epoch];
}

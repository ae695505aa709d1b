import { randomBytes } from "node:crypto";
import { limits } from "../core/limits.ts";
import type { Drop } from "../drops/drop.ts";
import { hostCookie, isSignature, sign } from "../http/cookies.ts";
import { page } from "../http/page-operation.ts";
import { type HttpRequest, readCookies } from "../http/request.ts";
import type { HttpResponse } from "../http/response.ts";
import { drawnUrl, isFromForeignPage, type Site } from "../http/site.ts";
import type { Destination } from "../identity/destination.ts";
import { cookieKeys } from "../table/cookie-keys.ts";
import { browserCookieName, gateCookieName } from "./gate-cookies.ts";
import { type GateWait, renderGatePage, renderReloadPage } from "./gate-page.tsx";

// The passcode page identifies browsers, so that each browser has its own limit for wrong passcodes; see docs/adr/0002-rate-limits.md.

/** A browser that opens a drop's passcode page. */
export interface GateBrowser {
  /** Random id of the browser. @default - the request has no id */
  readonly id?: string | undefined;
  /** True if the browser has unlocked this drop with the current passcode. */
  readonly hasOpened: boolean;
}

const pattern = /^([A-Za-z0-9_-]{22})(?:\.([0-9]{1,12})\.([A-Za-z0-9_-]{43}))?$/;

/**
 * Identifies the browser that sent a request. An id gives no access, so a client may invent one. A client cannot forge the signature that
 * proves an earlier unlock.
 */
export async function findGateBrowser(request: HttpRequest, drop: Drop): Promise<GateBrowser> {
  const [, id, epoch, signature] =
    pattern.exec(readCookies(request)[browserCookieName(drop.slug)] ?? "") ?? [];
  if (id === undefined || signature === undefined || Number(epoch) !== drop.gate.epoch)
    return { id, hasOpened: false };
  const parts = browserSignature(request, drop, id);
  return { id, hasOpened: await cookieKeys.holds((key) => isSignature(key, parts, signature)) };
}

/** Returns the `Set-Cookie` values that give a new browser an id. Returns an empty list for a known browser. */
export function newBrowserCookies(request: HttpRequest, slug: string): readonly string[] {
  const isKnown = pattern.test(readCookies(request)[browserCookieName(slug)] ?? "");
  return isKnown ? [] : [hostCookie(browserCookieName(slug), createId(), limits.gateVisitorCookieSeconds)];
}

/** Returns the `Set-Cookie` value that proves to the passcode page that this browser has unlocked the drop. */
export async function openedGateCookie(
  request: HttpRequest,
  drop: Drop,
  browser: GateBrowser,
): Promise<string> {
  const { id = createId() } = browser;
  const signature = sign(await cookieKeys.signing(), browserSignature(request, drop, id));
  const value = `${id}.${drop.gate.epoch}.${signature}`;
  return hostCookie(browserCookieName(drop.slug), value, limits.gateOpenedCookieSeconds);
}

/** Returns the id of the browser that sent a request. A browser without an id gets a new one in the returned `Set-Cookie` values. */
export function identifyBrowser(
  request: HttpRequest,
  slug: string,
): { readonly id: string; readonly cookies: readonly string[] } {
  const name = browserCookieName(slug);
  const [, known] = pattern.exec(readCookies(request)[name] ?? "") ?? [];
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

// Passcode pages exist only on the base host, because no published page shares that host's origin; see
// docs/adr/0026-guarded-drops.md.

/** Checks that a drop is not locked, or that the request has a valid passcode cookie. */
export async function hasGatePass(request: HttpRequest, drop: Drop, nowMs: number): Promise<boolean> {
  if (drop.gate.kind === "open") return true;
  if (isFromForeignPage(request)) return false;
  const value = readCookies(request)[gateCookieName(drop.slug)];
  return (
    value !== undefined && cookieKeys.holds((key) => isGatePass(key, passOf(request, drop), value, nowMs))
  );
}

/** Returns the `Set-Cookie` value that unlocks a drop for seven days. */
export async function gateCookie(request: HttpRequest, drop: Drop, nowMs: number): Promise<string> {
  return hostCookie(
    gateCookieName(drop.slug),
    signGatePass(await cookieKeys.signing(), passOf(request, drop), nowMs),
    limits.passcodeCookieSeconds,
  );
}

/** The drop that a passcode page unlocks, and the page to return to. */
interface GateAddress {
  readonly slug: string;
  readonly to: Destination;
}

/** Builds the response with the passcode form. The status is 200 at first, 403 after a wrong passcode, and 429 after too many attempts. */
export function gatePage(
  { slug, to }: GateAddress,
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

function passOf(request: HttpRequest, drop: Drop) {
  return { host: request.host, slug: drop.slug, epoch: drop.gate.epoch };
}

/** Scope of an unlock cookie: one drop on one host, until the passcode changes. */
interface GatePass {
  readonly host: string;
  readonly slug: string;
  /** Passcode epoch, a number that increases when the passcode is changed or removed, which invalidates earlier cookies. */
  readonly epoch: number;
}

/** Creates the signed value of an unlock cookie, valid for seven days: `1.<expiry>.<epoch>.<HMAC-SHA256 of host, slug, epoch, expiry>`. */
function signGatePass(key: string, pass: GatePass, nowMs: number): string {
  const expiry = Math.floor(nowMs / 1000) + limits.passcodeCookieSeconds;
  return `1.${expiry}.${pass.epoch}.${sign(key, signedParts(pass, expiry))}`;
}

/** Checks a cookie's signature, expiry and epoch against the current passcode. */
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
 * Responds to the viewer's frame if the drop is locked and the request has no cookie. The passcode form cannot work in
 * the frame, because requests from a sandboxed page carry no SameSite cookie.
 */
export function reloadPage(): HttpResponse {
  return page("framed", (nonce) => renderReloadPage({ nonce }));
}

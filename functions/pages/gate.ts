import { type Drop, isGuarded } from "../drops/drop.ts";
import { cookieKeys } from "../platform/cookie-keys.ts";
import { hostCookie } from "../platform/host-cookie.ts";
import { limits } from "../platform/limits.ts";
import { page } from "../platform/page-operation.ts";
import { joinQuery } from "../platform/page-query.ts";
import { type HttpRequest, readCookies } from "../platform/request.ts";
import { fetchDestination } from "../platform/request-origin.ts";
import type { HttpResponse } from "../platform/response.ts";
import { isSignature, sign } from "../platform/signed-cookie.ts";
import { drawnUrl, type Site, type SiteHost, seenPath } from "../platform/site.ts";
import { entranceQuery } from "../readers/destination.ts";
import { passOf as readerPassOf } from "../readers/pass.ts";
import type { GateAddress } from "./gate-address.ts";
import { gateCookieName } from "./gate-cookies.ts";
import { type GateWait, renderGatePage, renderReloadPage } from "./gate-page.tsx";

// The pages of an owner share an origin, and the cookie comes along with what a script of any of them asks for. So it
// opens a gate for windows and for the viewer's frame, whose pages no script of another page can read, and for what
// the viewer itself asks for: docs/adr/0020-a-locked-page-is-out-of-its-neighbours-reach.md.

/**
 * Whether a request may see a drop: it is not locked, or the request brings the cookie of its gate and comes from a
 * window or a frame, or else with the proof that only the drop's own viewer has.
 */
export async function hasGatePass(
  request: HttpRequest,
  drop: Drop,
  { proof, nowMs }: { readonly proof?: string | undefined; readonly nowMs: number },
): Promise<boolean> {
  if (drop.gate.kind === "open") return true;
  const value = gateCookieOf(request, drop.slug);
  if (value === undefined) return false;
  if (!(await isViewerAsking(request, drop.slug, proof))) return false;
  return cookieKeys.holds((key) => isGatePass(key, passOf(request, drop), value, nowMs));
}

/** Whether a request comes from a window or a frame, or else with the proof that only the drop's own viewer has. */
export async function isViewerAsking(
  request: HttpRequest,
  slug: string,
  proof: string | undefined,
): Promise<boolean> {
  if (fetchDestination(request) !== "part") return true;
  return isCookieProof("viewer", request, slug, proof ?? "");
}

/** By what a guarded drop's viewer proves that it asks, and no other page of its host; good with the same cookies only. */
export async function viewerProof(request: HttpRequest, { slug }: Drop): Promise<string> {
  return cookieProof("viewer", request, slug);
}

/**
 * By what a page of ours proves that it asks a framed page for words in it: another page of the host may frame a guarded one as well,
 * and could find out by asking what it says. Of what everybody may read, everybody may ask; and the edge keeps one page for all.
 */
export async function frameProof(request: HttpRequest, drop: Drop): Promise<string> {
  return isGuarded(drop) ? cookieProof("frame", request, drop.slug) : "";
}

/** What a page of ours alone can tell of this browser: by the drop's cookies in it, which no script can read. */
export async function cookieProof(
  purpose: ProofPurpose,
  request: HttpRequest,
  slug: string,
): Promise<string> {
  return sign(await cookieKeys.signing(), proofParts(purpose, request, slug));
}

/** Whether a proof is for this, and was made for a browser with these cookies. */
export async function isCookieProof(
  purpose: ProofPurpose,
  request: HttpRequest,
  slug: string,
  proof: string,
): Promise<boolean> {
  return cookieKeys.holds((key) => isSignature(key, proofParts(purpose, request, slug), proof));
}

/** The `Set-Cookie` value that opens a drop's gate on this host for seven days. */
export async function gateCookie(request: HttpRequest, drop: Drop, nowMs: number): Promise<string> {
  return hostCookie(
    gateCookieName(drop.slug),
    signGatePass(await cookieKeys.signing(), passOf(request, drop), nowMs),
    limits.passcodeCookieSeconds,
  );
}

/** The page with the passcode form: 200 at first, 403 after a wrong passcode, 429 after too many. */
export function gatePage(
  { host, slug, ...entrance }: GateAddress,
  refusal:
    | { readonly status: 200; readonly cardUrl?: string }
    | { readonly status: 403 }
    | { readonly status: 429; readonly wait: GateWait },
): HttpResponse {
  const action = seenPath(host, `/p/${slug}/unlock`) + joinQuery(entranceQuery(entrance).toString());
  const wait = refusal.status === 429 ? refusal.wait : undefined;
  const cardUrl = refusal.status === 200 ? refusal.cardUrl : undefined;
  const facts = { action, wrong: refusal.status === 403, wait, cardUrl };
  const response = page("gate", (nonce) => renderGatePage({ ...facts, nonce }), { status: refusal.status });
  if (wait === undefined) return response;
  return { ...response, headers: { ...response.headers, "retry-after": String(wait.seconds) } };
}

/** The card of what is locked, which is the one of all such pages. */
export function gateCardUrl(site: Site, host: SiteHost, slug: string): string {
  return drawnUrl(site, host.kind === "owner" ? host.namespace : undefined, { slug, name: "card" });
}

function gateCookieOf(request: HttpRequest, slug: string): string | undefined {
  return readCookies(request)[gateCookieName(slug)];
}

/** The context of a viewer, what is in a framed page, and the forms of a drop's feedback. */
type ProofPurpose = "viewer" | "frame" | "feedback";

/** Of the cookies that a page's script cannot read: of the gate, and of the reader's sign-in. */
function proofParts(purpose: ProofPurpose, request: HttpRequest, slug: string): readonly string[] {
  return [purpose, slug, gateCookieOf(request, slug) ?? "", readerPassOf(request, slug) ?? ""];
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

/** Whether the value opens the gate now. */
function isGatePass(key: string, pass: GatePass, value: string | undefined, nowMs: number): boolean {
  const pattern = /^1\.([0-9]{1,12})\.([0-9]{1,12})\.([A-Za-z0-9_-]{43})$/;
  const [, expiry = "", epoch = "", signature = ""] = pattern.exec(value ?? "") ?? [];
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

import { stringifySetCookie } from "cookie";
import { limits } from "../contract/limits.ts";
import { type SiteHost, seenPath } from "../domain/addresses.ts";
import type { Drop } from "../domain/drop.ts";
import { gateCookieName, isGatePass, signGatePass } from "../domain/gate-cookie.ts";
import { isSignature, sign } from "../domain/signature.ts";
import { cookieKeys } from "../store/cookie-keys.ts";
import { renderGatePage } from "../views/gate-page.tsx";
import type { HttpAnswer } from "./answer.ts";
import { readCookies } from "./cookies.ts";
import { fetchDestination } from "./fetch-destination.ts";
import { page } from "./page-answer.ts";
import type { HttpRequest } from "./request.ts";

/** Which of a drop's addresses the gate stands at, and the version that was asked for. */
export interface GateAddress {
  readonly host: SiteHost;
  readonly slug: string;
  readonly from: "p" | "d" | "raw";
  readonly version: number | undefined;
}

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
  const value = gateCookieOf(request, drop);
  if (value === undefined) return false;
  const needsProof = fetchDestination(request) === "part";
  return cookieKeys.holds(
    (key) =>
      isGatePass(key, passOf(request, drop), value, nowMs) &&
      (!needsProof || isSignature(key, proofParts(value), proof ?? "")),
  );
}

/** By what a locked drop's viewer proves that it asks, and no other page of its host; good with the same cookie only. */
export async function viewerProof(request: HttpRequest, drop: Drop): Promise<string> {
  return sign(await cookieKeys.signing(), proofParts(gateCookieOf(request, drop) ?? ""));
}

/** The `Set-Cookie` value that opens a drop's gate on this host for seven days. */
export async function gateCookie(request: HttpRequest, drop: Drop, nowMs: number): Promise<string> {
  return stringifySetCookie({
    name: gateCookieName(drop.slug),
    value: signGatePass(await cookieKeys.signing(), passOf(request, drop), nowMs),
    httpOnly: true,
    secure: true,
    sameSite: "lax",
    path: "/",
    maxAge: limits.passcodeCookieSeconds,
  });
}

/** The path and query that a gate stands at. */
export function gatedPath({ host, slug, from, version }: GateAddress): string {
  const path = seenPath(host, { p: `/p/${slug}`, d: `/d/${slug}`, raw: `/p/${slug}/raw` }[from]);
  return version === undefined ? path : `${path}?v=${version}`;
}

/** The page with the passcode form: 200 at first, 403 after a wrong passcode, 429 after too many. */
export function gatePage(
  { host, slug, from, version }: GateAddress,
  refusal:
    | { readonly status: 200 }
    | { readonly status: 403 }
    | { readonly status: 429; readonly waitSeconds: number },
): HttpAnswer {
  const query = new URLSearchParams(version === undefined ? {} : { v: String(version) });
  if (from !== "p") query.set("from", from);
  const action = `${seenPath(host, `/p/${slug}/unlock`)}${query.size > 0 ? `?${query}` : ""}`;
  const wait = refusal.status === 429 ? { waitSeconds: refusal.waitSeconds } : {};
  const answer = page(
    "gate",
    (nonce) => renderGatePage({ action, wrong: refusal.status === 403, ...wait, nonce }),
    {
      status: refusal.status,
    },
  );
  if (refusal.status !== 429) return answer;
  return { ...answer, headers: { ...answer.headers, "retry-after": String(refusal.waitSeconds) } };
}

function gateCookieOf(request: HttpRequest, { slug }: Drop): string | undefined {
  return readCookies(request)[gateCookieName(slug)];
}

function proofParts(cookie: string): readonly string[] {
  return ["viewer", cookie];
}

function passOf(request: HttpRequest, drop: Drop) {
  return { host: request.host, slug: drop.slug, epoch: drop.gate.epoch };
}

import { stringifySetCookie } from "cookie";
import { limits } from "../contract/limits.ts";
import type { Drop } from "../domain/drop.ts";
import { gateCookieName, isGatePass, signGatePass } from "../domain/gate-cookie.ts";
import { secrets } from "../store/secrets.ts";
import { renderGatePage } from "../views/gate-page.tsx";
import type { HttpAnswer } from "./answer.ts";
import { readCookies } from "./cookies.ts";
import { page } from "./page-answer.ts";
import type { HttpRequest } from "./request.ts";

/** Which of a drop's addresses the gate stands at, and the version that was asked for. */
export interface GateAddress {
  readonly slug: string;
  readonly from: "p" | "d" | "raw";
  readonly version: number | undefined;
}

/** Whether a request may see a drop: it is not locked, or the request brings the cookie of its gate. */
export async function hasGatePass(request: HttpRequest, drop: Drop, nowMs: number): Promise<boolean> {
  if (drop.gate.kind === "open") return true;
  const value = readCookies(request)[gateCookieName(drop.slug)];
  if (value === undefined) return false;
  return secrets.isCookieKey((key) => isGatePass(key, passOf(request, drop), value, nowMs));
}

/** The `Set-Cookie` value that opens a drop's gate on this host for seven days. */
export async function gateCookie(request: HttpRequest, drop: Drop, nowMs: number): Promise<string> {
  return stringifySetCookie({
    name: gateCookieName(drop.slug),
    value: signGatePass(await secrets.cookieKey(), passOf(request, drop), nowMs),
    httpOnly: true,
    secure: true,
    sameSite: "lax",
    path: "/",
    maxAge: limits.passcodeCookieSeconds,
  });
}

/** The page with the passcode form: 200 at first, 403 after a wrong passcode, 429 after too many. */
export function gatePage(
  { slug, from, version }: GateAddress,
  refusal:
    | { readonly status: 200 }
    | { readonly status: 403 }
    | { readonly status: 429; readonly waitSeconds: number },
): HttpAnswer {
  const query = new URLSearchParams(version === undefined ? {} : { v: String(version) });
  if (from !== "p") query.set("from", from);
  const action = `/p/${slug}/unlock${query.size > 0 ? `?${query}` : ""}`;
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

function passOf(request: HttpRequest, drop: Drop) {
  return { host: request.host, slug: drop.slug, epoch: drop.gate.epoch };
}

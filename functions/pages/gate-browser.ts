import { randomBytes } from "node:crypto";
import type { Drop } from "../drops/drop.ts";
import { cookieKeys } from "../platform/cookie-keys.ts";
import { hostCookie } from "../platform/host-cookie.ts";
import { limits } from "../platform/limits.ts";
import { type HttpRequest, readCookies } from "../platform/request.ts";
import { isSignature, sign } from "../platform/signed-cookie.ts";
import { browserCookieName } from "./gate-cookies.ts";

// What a gate knows a browser by, so that one's wrong passcodes are not another's: docs/adr/0064-whose-wrong-passcodes-shut-a-gate.md.

/** A browser at a drop's gate. */
export interface GateBrowser {
  /** Its own, by chance. @default - it has none, or has not said so */
  readonly id?: string | undefined;
  /** Whether it has opened this gate with the passcode that it still has. */
  readonly hasOpened: boolean;
}

const pattern = /^([A-Za-z0-9_-]{22})(?:\.([0-9]{1,12})\.([A-Za-z0-9_-]{43}))?$/;

/** Which browser a request comes from. An id may be made up, and opens nothing; that it has opened the gate nobody can make up. */
export async function findGateBrowser(request: HttpRequest, drop: Drop): Promise<GateBrowser> {
  const [, id, epoch, signature] =
    pattern.exec(readCookies(request)[browserCookieName(drop.slug)] ?? "") ?? [];
  if (id === undefined || signature === undefined || Number(epoch) !== drop.gate.epoch)
    return { id, hasOpened: false };
  const parts = browserSignature(request, drop, id);
  return { id, hasOpened: await cookieKeys.holds((key) => isSignature(key, parts, signature)) };
}

/** The `Set-Cookie` values by which a gate gets to know a browser that it has not met: none where it has. */
export function introductionCookies(request: HttpRequest, slug: string): readonly string[] {
  const isKnown = pattern.test(readCookies(request)[browserCookieName(slug)] ?? "");
  return isKnown ? [] : [hostCookie(browserCookieName(slug), createId(), limits.gateVisitorCookieSeconds)];
}

/** The `Set-Cookie` value by which a gate knows again who has opened it. */
export async function openedCookie(request: HttpRequest, drop: Drop, browser: GateBrowser): Promise<string> {
  const { id = createId() } = browser;
  const signature = sign(await cookieKeys.signing(), browserSignature(request, drop, id));
  const value = `${id}.${drop.gate.epoch}.${signature}`;
  return hostCookie(browserCookieName(drop.slug), value, limits.gateOpenedCookieSeconds);
}

function createId(): string {
  return randomBytes(16).toString("base64url");
}

function browserSignature({ host }: HttpRequest, { slug, gate }: Drop, id: string) {
  return ["gate-browser", host.toLowerCase(), slug, gate.epoch, id];
}

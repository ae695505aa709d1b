import { limits } from "../contract/limits.ts";
import { isSignature, sign } from "./signature.ts";

/** What an unlock cookie is good for: one drop on one host, until its passcode changes. */
export interface GatePass {
  readonly host: string;
  readonly slug: string;
  /** The gate's epoch: it rises when the passcode changes or goes, and earlier cookies end. */
  readonly epoch: number;
}

/** The cookie's name; `__Host-` keeps other hosts and plain HTTP from setting it (RFC 6265bis, section 4.1.3.2). */
export function gateCookieName(slug: string): string {
  return `__Host-dl_${slug}`;
}

/** The cookie's value, good for seven days: `1.<expiry>.<epoch>.<HMAC-SHA256 of host, slug, epoch, expiry>`. */
export function signGatePass(key: string, pass: GatePass, nowMs: number): string {
  const expiry = Math.floor(nowMs / 1000) + limits.passcodeCookieSeconds;
  return `1.${expiry}.${pass.epoch}.${sign(key, signedParts(pass, expiry))}`;
}

/** Whether the value opens the gate now. */
export function isGatePass(key: string, pass: GatePass, value: string | undefined, nowMs: number): boolean {
  const pattern = /^1\.([0-9]{1,12})\.([0-9]{1,12})\.([A-Za-z0-9_-]{43})$/;
  const [, expiry = "", epoch = "", signature = ""] = pattern.exec(value ?? "") ?? [];
  if (signature === "" || Number(epoch) !== pass.epoch || Number(expiry) * 1000 <= nowMs) return false;
  return isSignature(key, signedParts(pass, Number(expiry)), signature);
}

function signedParts({ host, slug, epoch }: GatePass, expiry: number) {
  return ["gate", host.toLowerCase(), slug, epoch, expiry];
}

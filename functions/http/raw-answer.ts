import { edgeKeepsSecondsMax } from "../contract/environment.ts";
import { type HttpAnswer, keptBriefly } from "./answer.ts";

/** Section "Public serving" of the specification. */
const contentSecurityPolicy = "frame-ancestors 'self'; base-uri 'none'; form-action 'self' https:";
/** What the viewer's frame allows; on the base host, and behind a gate, a page has no more when it is opened by itself. */
const sandbox = "sandbox allow-scripts allow-forms allow-modals allow-downloads";

/**
 * The specification's five, and what would let a page ask for its visitor's passkeys and identities: a page may name every
 * domain that its host is below as the one that asks (Web Authentication, "relying party identifier").
 */
export const permissionsPolicy = [
  "geolocation=(), camera=(), microphone=(), payment=(), usb=()",
  "publickey-credentials-get=(), publickey-credentials-create=()",
  "identity-credentials-get=(), otp-credentials=()",
  "digital-credentials-get=(), digital-credentials-create=()",
].join(", ");

const latestSeconds = 2;

/** A published page as it goes out; the table "Headers" of the promises. */
export function rawPage(
  body: Uint8Array,
  options: { readonly hasOwnOrigin: boolean; readonly isPinned: boolean; readonly isLocked: boolean },
): HttpAnswer {
  const { hasOwnOrigin, isLocked } = options;
  return {
    status: 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "permissions-policy": permissionsPolicy,
      "x-robots-tag": "noindex",
      "referrer-policy": "no-referrer",
      "cache-control": cacheControl(options),
      ...(!hasOwnOrigin || isLocked
        ? { "content-security-policy": `${contentSecurityPolicy}; ${sandbox}` }
        : { "content-security-policy": contentSecurityPolicy, "origin-agent-cluster": "?1" }),
    },
    body,
  };
}

/** The edge keeps for hours what cannot change; a browser asks again, since a lock must take effect within seconds. */
function cacheControl({
  isPinned,
  isLocked,
}: {
  readonly isPinned: boolean;
  readonly isLocked: boolean;
}): string {
  if (isLocked) return "private, no-store";
  return keptBriefly(isPinned ? edgeKeepsSecondsMax : latestSeconds);
}

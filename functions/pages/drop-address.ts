import { patterns } from "../platform/schemas.ts";
import { classifyHost, type Site } from "../platform/site.ts";

/** What the address of a drop names, as people paste it. */
export interface DropAddress {
  readonly slug: string;
  /** Of the owner whose host it is on. @default - it is on the service's own */
  readonly namespace: string | undefined;
  /** That `?v=` pins; 0 for what is no number. @default - none */
  readonly version: number | undefined;
}

const longestAddress = 4_096;

/**
 * Reads the address of a drop's viewer or of its page, on any host that serves it, with whatever query and fragment; undefined for
 * every other address. The scheme makes no difference: people leave it out, and link to http.
 */
export function parseDropAddress(address: string, site: Site): DropAddress | undefined {
  const whole = /^https?:\/\//i.test(address) ? address : `https://${address}`;
  if (address.length > longestAddress || !URL.canParse(whole)) return undefined;
  const { host, pathname, searchParams } = new URL(whole);
  const [, owner, path = ""] = (site.baseDomain === undefined &&
    /^\/(?:@|%40)([A-Za-z0-9-]+)(\/.*)$/.exec(pathname)) || ["", undefined, pathname];
  const found = classifyHost(site, host, owner?.toLowerCase());
  const slug = /^\/(?:p|d)\/([^/]+)(?:\/raw)?\/?$/.exec(path)?.[1] ?? "";
  if (found.kind === "unknown" || !patterns.slug.test(slug)) return undefined;
  const pin = searchParams.get("v");
  const version = pin === null ? undefined : patterns.positiveInteger.test(pin) ? Number(pin) : 0;
  return { slug, namespace: found.kind === "owner" ? found.namespace : undefined, version };
}

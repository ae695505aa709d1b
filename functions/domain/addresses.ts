/** Where the service lives. */
export interface Site {
  /** `https://drops.example.com`, no trailing slash. */
  readonly baseUrl: string;
  /** `drops.example.com`, with the port where there is one. */
  readonly baseDomain: string;
}

/** Whose host a request came to. */
export type SiteHost =
  | { readonly kind: "base" }
  | { readonly kind: "owner"; readonly namespace: string }
  | { readonly kind: "unknown" };

/** Tells the service's own host from an owner's. Hosts compare without case (RFC 9110, section 4.2.3). */
export function classifyHost(site: Site, host: string): SiteHost {
  const name = host.toLowerCase();
  if (name === new URL(site.baseUrl).host) return { kind: "base" };
  const suffix = `.${site.baseDomain}`;
  const namespace = name.endsWith(suffix) ? name.slice(0, -suffix.length) : "";
  return /^[a-z0-9-]+$/.test(namespace) ? { kind: "owner", namespace } : { kind: "unknown" };
}

/** The owner's public page: `https://<namespace>.<base_domain>/`. */
export function ownerUrl(site: Site, namespace: string): string {
  return `${new URL(site.baseUrl).protocol}//${namespace}.${site.baseDomain}/`;
}

/** A drop's permanent link, the one to hand out. */
export function dropUrl(site: Site, namespace: string, slug: string): string {
  return `${ownerUrl(site, namespace)}d/${slug}`;
}

/** The page itself, on the owner's host: storage works there, and other owners cannot reach it. */
export function rawUrl(site: Site, namespace: string, slug: string): string {
  return `${ownerUrl(site, namespace)}p/${slug}/raw`;
}

/** A file: `https://<namespace>.<base_domain>/b/<id>`. */
export function blobUrl(site: Site, namespace: string, id: string): string {
  return `${ownerUrl(site, namespace)}b/${id}`;
}

/** The page where a human confirms a device code. */
export function verificationUrl(site: Site, code: string): string {
  return `${site.baseUrl}/verify?code=${code}`;
}

/** Where the identity provider sends the human back to. */
export function callbackUrl(site: Site): string {
  return `${site.baseUrl}/api/auth/idp/callback`;
}

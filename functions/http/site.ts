import { environmentNames, findEnvironment } from "../runtime/environment.ts";
import type { HttpRequest } from "./request.ts";

/**
 * Where this service lives: as the stack says, or without a domain where the edge says that it is. The stack cannot say
 * the distribution's own name to what the distribution is made of.
 */
export function readSite({ serviceHost, host }: Pick<HttpRequest, "serviceHost" | "host">): Site {
  const told = findEnvironment(environmentNames.baseUrl);
  if (told !== undefined) {
    return { baseUrl: told, baseDomain: findEnvironment(environmentNames.baseDomain) };
  }
  // An edge of an earlier release names no service; it has one name, by which it is asked.
  return { baseUrl: `https://${serviceHost ?? host}`, baseDomain: undefined };
}

/** Where the service lives. */
export interface Site {
  /** `https://drops.example.com`, no trailing slash. */
  readonly baseUrl: string;
  /**
   * `drops.example.com`, with the port where there is one: owners live one label below it. Undefined: the service has no
   * domain, and owners live on its own host, below `/@<namespace>/`.
   */
  readonly baseDomain: string | undefined;
}

/** Whose host a request came to. */
export type SiteHost =
  | { readonly kind: "base" }
  | {
      readonly kind: "owner";
      readonly namespace: string;
      /** What viewers see before each path: nothing on a host of the owner's own, `/@<namespace>` on the service's. */
      readonly prefix: string;
    }
  | { readonly kind: "unknown" };

/** A DNS label, which every namespace is (RFC 1035, section 2.3.4): no table has a longer one. */
const label = /^[a-z0-9-]{1,63}$/;

/**
 * Tells the service's own host from an owner's. Hosts compare without case (RFC 9110, section 4.2.3).
 *
 * @param owner whose path the edge found below `/@`. @default - nobody's
 */
export function classifyHost({ baseUrl, baseDomain }: Site, host: string, owner?: string): SiteHost {
  const name = host.toLowerCase();
  if (name === new URL(baseUrl).host) {
    const isOwners = baseDomain === undefined && owner !== undefined;
    if (isOwners && !label.test(owner)) return { kind: "unknown" };
    return isOwners ? { kind: "owner", namespace: owner, prefix: ownerPath(owner) } : { kind: "base" };
  }
  const suffix = `.${baseDomain}`;
  const namespace = baseDomain !== undefined && name.endsWith(suffix) ? name.slice(0, -suffix.length) : "";
  return label.test(namespace) ? { kind: "owner", namespace, prefix: "" } : { kind: "unknown" };
}

/** A path of the host as viewers see it. */
export function requestedPath(host: SiteHost, path: string): string {
  return host.kind === "owner" ? host.prefix + path : path;
}

/** Whether pages of the host have an origin that they share with no other owner's and with no page of the service. */
export function hasOwnOrigin(host: SiteHost): boolean {
  return host.kind === "owner" && host.prefix === "";
}

/** The owner's public page: `https://<namespace>.<base_domain>/`, or without a domain `<base_url>/@<namespace>/`. */
export function ownerUrl({ baseUrl, baseDomain }: Site, namespace: string): string {
  if (baseDomain === undefined) return `${baseUrl}${ownerPath(namespace)}/`;
  // Not by `URL`, which would parse it anew for each address of each drop of a list.
  return `${baseUrl.slice(0, baseUrl.indexOf("//"))}//${namespace}.${baseDomain}/`;
}

/** A drop's permanent link, the one to hand out. */
export function dropUrl(site: Site, namespace: string, slug: string): string {
  return `${ownerUrl(site, namespace)}d/${slug}`;
}

/** The page itself: on a host of the owner's own storage works, and other owners cannot reach it. */
export function rawUrl(site: Site, namespace: string, slug: string): string {
  return `${ownerUrl(site, namespace)}p/${slug}/raw`;
}

/** A picture of a version, or without one of the latest; without a namespace on the service's own host. */
export function drawnUrl(
  site: Site,
  namespace: string | undefined,
  { slug, version, name }: { readonly slug: string; readonly version?: number; readonly name: string },
): string {
  const raw = namespace === undefined ? `${site.baseUrl}/p/${slug}/raw` : rawUrl(site, namespace, slug);
  return `${raw}?drawn=${name}${version === undefined ? "" : `&v=${version}`}`;
}

/** What programs ask of a drop's address: oEmbed 1.0, section 2.2. */
export function oembedUrl({ baseUrl }: Site, url: string): string {
  return `${baseUrl}/oembed?${new URLSearchParams({ url })}`;
}

/** Where a version of a drop is compared with the one before it. */
export function comparisonUrl(site: Site, namespace: string, slug: string, to: number): string {
  return `${ownerUrl(site, namespace)}p/${slug}/compare?to=${to}`;
}

/** The page of a drop's feedback, for whoever may read the drop. */
export function feedbackUrl({ baseUrl }: Site, slug: string): string {
  return `${baseUrl}/p/${slug}/feedback`;
}

/** A file: `/b/<id>` below the owner's public page. */
export function blobUrl(site: Site, namespace: string, id: string): string {
  return `${ownerUrl(site, namespace)}b/${id}`;
}

/** A file for some readers, where they are known: on the service's own host. */
export function restrictedFileUrl({ baseUrl }: Site, namespace: string, id: string): string {
  return `${baseUrl}/files/${namespace}/${id}`;
}

/** The page where a human confirms a device code. */
export function verificationUrl(site: Site, code: string): string {
  return `${site.baseUrl}/verify?code=${code}`;
}

/** Where the identity provider sends the human back to. */
export function callbackUrl(site: Site): string {
  return `${site.baseUrl}/api/auth/idp/callback`;
}

/** What the paths of an owner begin with where owners have no hosts. */
export function ownerPath(namespace: string): string {
  return `/@${namespace}`;
}

/**
 * Where visitors report a page: the operator's contact, and where that is a mailbox, a message that names the page.
 * Undefined where the operator has named none. RFC 6068, section 2.
 */
export function reportAddress(pageUrl: string): string | undefined {
  const contact = findEnvironment(environmentNames.securityContact);
  const isBareMailbox = contact?.startsWith("mailto:") && !contact.includes("?");
  return isBareMailbox ? `${contact}?subject=${encodeURIComponent(`Report: ${pageUrl}`)}` : contact;
}

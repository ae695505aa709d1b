import { edgeHeaders, environmentNames, findEnvironment } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import { type FolderHost, folderHostPrefix, folderLabel, parseFolderLabel } from "./folder-host.ts";
import { type HttpRequest, singleHeader } from "./request.ts";
import type { Route } from "./route.ts";

/**
 * Reads the service's addresses from the environment or, without a domain, from the edge's headers: the stack cannot contain the name of
 * its own distribution.
 */
export function readSite({ serviceHost, host }: Pick<HttpRequest, "serviceHost" | "host">): Site {
  const told = findEnvironment(environmentNames.baseUrl);
  if (told !== undefined) {
    return { baseUrl: told, baseDomain: findEnvironment(environmentNames.baseDomain) };
  }
  // An edge of an earlier release does not send the service's name. The service then has one name, the requested one.
  return { baseUrl: `https://${serviceHost ?? host}`, baseDomain: undefined };
}

/** Addresses of the service. */
export interface Site {
  /** `https://drops.example.com`, no trailing slash. */
  readonly baseUrl: string;
  /**
   * `drops.example.com`, with the port if there is one: owners' hosts are one label below it. Undefined: the service has no domain, and
   * owners' pages are on its own host, below `/@<namespace>/`.
   */
  readonly baseDomain: string | undefined;
}

/** URL of the guide to all calls. */
export function guideUrl({ baseUrl }: Site): string {
  return `${baseUrl}/llms.txt`;
}

/** Owner of a request's host. */
export type SiteHost =
  | { readonly kind: "base" }
  | {
      readonly kind: "owner";
      readonly namespace: string;
      /** Prefix of the owner's paths for viewers: empty on the owner's host, `/@<namespace>` on the base host. */
      readonly prefix: string;
    }
  | (FolderHost & { readonly kind: "folder" })
  | { readonly kind: "unknown" };

/** A DNS label, as every namespace is (RFC 1035, section 2.3.4). Items of the table have no longer ones. */
const label = /^[a-z0-9-]{1,63}$/;

/**
 * Classifies a host: the service's own, an owner's or a folder's. Host names are case-insensitive (RFC 9110, section 4.2.3).
 *
 * @param owner from a path below `/@` that the edge has found. @default - none
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
  if (namespace.startsWith(folderHostPrefix)) {
    const folder = parseFolderLabel(namespace);
    return folder === undefined ? { kind: "unknown" } : { kind: "folder", ...folder };
  }
  return label.test(namespace) ? { kind: "owner", namespace, prefix: "" } : { kind: "unknown" };
}

/** A path on the host, as viewers see it. */
export function requestedPath(host: SiteHost, path: string): string {
  return host.kind === "owner" ? host.prefix + path : path;
}

/** Hosts of owners and folders each have their own origin, separate from each other and the service. */
export function hasOwnOrigin(host: SiteHost): boolean {
  return host.kind === "folder" || (host.kind === "owner" && host.prefix === "");
}

/** The owner's public page: `https://<namespace>.<base_domain>/`, or without a domain `<base_url>/@<namespace>/`. */
export function ownerUrl({ baseUrl, baseDomain }: Site, namespace: string): string {
  if (baseDomain === undefined) return `${baseUrl}${ownerPath(namespace)}/`;
  return hostUrl({ baseUrl, baseDomain }, namespace);
}

/** A folder's own host; undefined if the service has no domain. */
export function folderUrl({ baseUrl, baseDomain }: Site, host: FolderHost): string | undefined {
  return baseDomain === undefined ? undefined : hostUrl({ baseUrl, baseDomain }, folderLabel(host));
}

/** The root of a host one label below the base domain. */
function hostUrl({ baseUrl, baseDomain }: Site, name: string): string {
  // Not with `URL`, which would parse the base for each address of each drop in a list.
  return `${baseUrl.slice(0, baseUrl.indexOf("//"))}//${name}.${baseDomain}/`;
}

/** A drop's permanent link, for sharing. */
export function dropUrl(site: Site, namespace: string, slug: string): string {
  return `${ownerUrl(site, namespace)}d/${slug}`;
}

/** URL of the page itself. On the owner's own host, storage works, and other owners' pages cannot reach it. */
export function rawUrl(site: Site, namespace: string, slug: string): string {
  return `${ownerUrl(site, namespace)}p/${slug}/raw`;
}

/** URL of a picture of a version, or of the latest version; without a namespace, on the service's own host. */
export function drawnUrl(
  site: Site,
  namespace: string | undefined,
  { slug, version, name }: { readonly slug: string; readonly version?: number; readonly name: string },
): string {
  const raw = namespace === undefined ? `${site.baseUrl}/p/${slug}/raw` : rawUrl(site, namespace, slug);
  return `${raw}?drawn=${name}${version === undefined ? "" : `&v=${version}`}`;
}

/** URL of a drop's oEmbed response: oEmbed 1.0, section 2.2. */
export function oembedUrl({ baseUrl }: Site, url: string): string {
  return `${baseUrl}/oembed?${new URLSearchParams({ url })}`;
}

/** URL that compares a version with the one before it. */
export function comparisonUrl(site: Site, namespace: string, slug: string, to: number): string {
  return `${ownerUrl(site, namespace)}p/${slug}/compare?to=${to}`;
}

/** URL of a drop's feedback page, for readers of the drop. */
export function feedbackUrl({ baseUrl }: Site, slug: string): string {
  return `${baseUrl}/p/${slug}/feedback`;
}

/** URL of a file: `/b/<id>` below the owner's public page. */
export function blobUrl(site: Site, namespace: string, id: string): string {
  return `${ownerUrl(site, namespace)}b/${id}`;
}

/** URL of a restricted file on the service's own host, where readers have sessions. */
export function restrictedFileUrl({ baseUrl }: Site, namespace: string, id: string): string {
  return `${baseUrl}/files/${namespace}/${id}`;
}

/** URL of the page that confirms a device code. */
export function verificationUrl(site: Site, code: string): string {
  return `${site.baseUrl}/verify?code=${code}`;
}

/** Callback URL of the identity provider. */
export function callbackUrl(site: Site): string {
  return `${site.baseUrl}/api/auth/idp/callback`;
}

/** Prefix of an owner's paths if owners have no hosts. */
export function ownerPath(namespace: string): string {
  return `/@${namespace}`;
}

/**
 * URL to report a page: the operator's contact, with the page's URL in the message of a mailbox. Undefined without a
 * contact. RFC 6068, section 2.
 */
export function reportAddress(pageUrl: string): string | undefined {
  const contact = findEnvironment(environmentNames.securityContact);
  const isBareMailbox = contact?.startsWith("mailto:") && !contact.includes("?");
  return isBareMailbox ? `${contact}?subject=${encodeURIComponent(`Report: ${pageUrl}`)}` : contact;
}

const formAdvice = "This form was sent from another site. Open the page and try again.";

/**
 * Accepts only forms from a page of the same host.
 *
 * @param message shown to the sender
 * @throws ApiError `forbidden`
 */
export function requireSameOrigin(request: HttpRequest, site: Site, message: string = formAdvice): void {
  if (!isSameOrigin(request, site)) throw new ApiError("forbidden", { message });
}

/**
 * Accepts requests from pages of the same host, and those without Origin. Browsers send Origin with every POST (Fetch
 * Standard, section 3.2); other programs have no cookies to misuse.
 */
function isSameOrigin(request: HttpRequest, site: Site): boolean {
  if (request.headers.origin === undefined) return true;
  return (
    singleHeader(request, "origin") === `${new URL(site.baseUrl).protocol}//${request.host.toLowerCase()}`
  );
}

/**
 * Accepts only forms from a page of the same host. Unlike `requireSameOrigin`, it refuses requests without an origin: owners'
 * hosts are the same site, so their forms bring the session cookie despite SameSite, and a sandboxed page sends `null`.
 *
 * @throws ApiError `forbidden`
 */
export function requireOwnPage(request: HttpRequest, site: Site): void {
  const isSaid = request.headers.origin !== undefined;
  const isOwn = isSaid ? isSameOrigin(request, site) : fetchSite(request) === "own";
  if (!isOwn) throw new ApiError("forbidden", { message: formAdvice });
}

/**
 * Destination of a browser's request (Fetch Metadata Request Headers, section 2.1): a window, a frame, or a resource
 * that scripts may read or a page contains. Scripts cannot set the header. Programs, and browsers from before 2023,
 * do not send it.
 */
type FetchDestination = "window" | "frame" | "part" | "untold";

const frames = new Set(["iframe", "frame", "embed", "object"]);

/** The destination of a request. */
export function fetchDestination(request: HttpRequest): FetchDestination {
  if (request.headers["sec-fetch-dest"] === undefined) return "untold";
  const destination = singleHeader(request, "sec-fetch-dest") ?? "";
  if (destination === "document") return "window";
  return frames.has(destination) ? "frame" : "part";
}

/**
 * Recognizes an address that a person opened in a window. Browsers from before 2023 do not send the destination of a request; all browsers
 * identify as Mozilla.
 */
export function isWindow(request: HttpRequest): boolean {
  const destination = fetchDestination(request);
  if (destination !== "untold") return destination === "window";
  return (singleHeader(request, "user-agent") ?? "").startsWith("Mozilla/");
}

/**
 * Recognizes a published page in a window of the base host, where owners have hosts. The edge sets a header for it, which is part of the cache
 * key.
 */
export function isWindowOnBaseHost(request: HttpRequest): boolean {
  return request.headers[edgeHeaders.window] !== undefined;
}

/**
 * True for requests that a page of another host made without a window: frames, images, scripts. Owners' hosts are the same site
 * as the base host, so such requests bring cookies despite SameSite.
 */
export function isFromForeignPage(request: HttpRequest): boolean {
  const destination = fetchDestination(request);
  return (destination === "frame" || destination === "part") && fetchSite(request) !== "own";
}

/** Origin of the page that made a browser send the request (Fetch Metadata, section 2.4). */
type FetchSite = "own" | "elsewhere" | "untold";

/** `own` includes typed addresses and programs that are not browsers. */
export function fetchSite(request: HttpRequest): FetchSite {
  if (request.headers["sec-fetch-site"] === undefined) return "untold";
  const site = singleHeader(request, "sec-fetch-site");
  return site === "same-origin" || site === "none" ? "own" : "elsewhere";
}

/**
 * Refuses requests that another site's page makes its visitor's browser send without a window: images, frames, prefetches, forms,
 * scripts. So no page can use up its visitor's limits or probe sign-in. For browsers from before 2023, only requests with an
 * Origin are recognized (Fetch Metadata Request Headers, section 2; Fetch Standard, section 3.2).
 *
 * @throws ApiError `forbidden`, or `invalid_arg` if the specification's row has no status for it
 */
export function refuseForeignPages(route: Route, request: HttpRequest, site: Site): void {
  if (isSameOrigin(request, site) && !isFromForeignPage(request) && !isPrefetched(request)) return;
  throw new ApiError(route.errors.includes("forbidden") ? "forbidden" : "invalid_arg", {
    message:
      "This request came from a page of another site. Open the address in a new tab, or call it from a program.",
  });
}

/** Recognizes a browser's speculative request; "Sec-Purpose": HTML Standard, section "Speculative loading". */
export function isPrefetched(request: HttpRequest): boolean {
  return /^prefetch\b/.test(singleHeader(request, "sec-purpose") ?? "");
}

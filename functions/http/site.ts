import { edgeHeaders, environmentNames, findEnvironment } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import { type FolderHost, folderHostPrefix, folderLabel, parseFolderLabel } from "./folder-host.ts";
import { type HttpRequest, singleHeader } from "./request.ts";
import type { Route } from "./route.ts";

/**
 * Reads the service's URLs from the environment or, for a service without a domain, from the edge's headers. A function's environment
 * cannot contain the host name of the stack's own distribution.
 */
export function readSite({ serviceHost, host }: Pick<HttpRequest, "serviceHost" | "host">): Site {
  const told = findEnvironment(environmentNames.baseUrl);
  if (told !== undefined) {
    return { baseUrl: told, baseDomain: findEnvironment(environmentNames.baseDomain) };
  }
  // If the edge has an earlier release, which does not send the service's host, the requested host is the only host.
  return { baseUrl: `https://${serviceHost ?? host}`, baseDomain: undefined };
}

/** URL and domain of the service. */
export interface Site {
  /** The service's own URL, such as `https://drops.example.com`, without a trailing slash. */
  readonly baseUrl: string;
  /**
   * Parent domain of owners' hosts, such as `drops.example.com`, with a port if there is one. Undefined if the service has no domain:
   * owners' pages are then below `/@<namespace>/` on the service's own host.
   */
  readonly baseDomain: string | undefined;
}

/** Returns the URL of the guide to all calls. */
export function guideUrl({ baseUrl }: Site): string {
  return `${baseUrl}/llms.txt`;
}

/** The host that a request was sent to, by kind. */
export type SiteHost =
  | { readonly kind: "base" }
  | {
      readonly kind: "owner";
      readonly namespace: string;
      /** Prefix of the owner's paths: empty on the owner's host, `/@<namespace>` on the base host. */
      readonly prefix: string;
    }
  | (FolderHost & { readonly kind: "folder" })
  | { readonly kind: "unknown" };

/** Matches a namespace, which is a DNS label (RFC 1035, section 2.3.4). */
const label = /^[a-z0-9-]{1,63}$/;

/**
 * Classifies a host: the service's own, an owner's or a folder's. Host names are case-insensitive (RFC 9110, section 4.2.3).
 *
 * @param owner namespace that the edge found in a path below `/@`.
 * @default - none
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

/** Returns a path as viewers see it in the URL, with the owner's prefix. */
export function requestedPath(host: SiteHost, path: string): string {
  return host.kind === "owner" ? host.prefix + path : path;
}

/** Recognizes the host of an owner or a folder. Each of these hosts is a separate origin. */
export function hasOwnOrigin(host: SiteHost): boolean {
  return host.kind === "folder" || (host.kind === "owner" && host.prefix === "");
}

/** Returns the URL of the owner's public page: `https://<namespace>.<base_domain>/`, or without a domain `<base_url>/@<namespace>/`. */
export function ownerUrl({ baseUrl, baseDomain }: Site, namespace: string): string {
  if (baseDomain === undefined) return `${baseUrl}${ownerPath(namespace)}/`;
  return hostUrl({ baseUrl, baseDomain }, namespace);
}

/** Returns the URL of a folder's own host, or undefined if the service has no domain. */
export function folderUrl({ baseUrl, baseDomain }: Site, host: FolderHost): string | undefined {
  return baseDomain === undefined ? undefined : hostUrl({ baseUrl, baseDomain }, folderLabel(host));
}

/** Returns the URL of a host, such as an owner's, one label below the base domain. */
function hostUrl({ baseUrl, baseDomain }: Site, name: string): string {
  // Avoids parsing the base URL again for each URL in a list of drops.
  return `${baseUrl.slice(0, baseUrl.indexOf("//"))}//${name}.${baseDomain}/`;
}

/** Returns a drop's permanent link, for sharing. */
export function dropUrl(site: Site, namespace: string, slug: string): string {
  return `${ownerUrl(site, namespace)}d/${slug}`;
}

/**
 * Returns the URL of the page itself, on the owner's own host if there is one. The page can use browser storage there, which other owners'
 * pages cannot read.
 */
export function rawUrl(site: Site, namespace: string, slug: string): string {
  return `${ownerUrl(site, namespace)}p/${slug}/raw`;
}

/** Returns the URL of a picture of the given or the latest version. Without a namespace, the URL is on the service's own host. */
export function drawnUrl(
  site: Site,
  namespace: string | undefined,
  { slug, version, name }: { readonly slug: string; readonly version?: number; readonly name: string },
): string {
  const raw = namespace === undefined ? `${site.baseUrl}/p/${slug}/raw` : rawUrl(site, namespace, slug);
  return `${raw}?drawn=${name}${version === undefined ? "" : `&v=${version}`}`;
}

/** Returns the URL of a drop's oEmbed response (oEmbed 1.0, section 2.2). */
export function oembedUrl({ baseUrl }: Site, url: string): string {
  return `${baseUrl}/oembed?${new URLSearchParams({ url })}`;
}

/** Returns the URL of the comparison of a version with the previous version. */
export function comparisonUrl(site: Site, namespace: string, slug: string, to: number): string {
  return `${ownerUrl(site, namespace)}p/${slug}/compare?to=${to}`;
}

/** Returns the URL of a drop's feedback page, for readers of the drop. */
export function feedbackUrl({ baseUrl }: Site, slug: string): string {
  return `${baseUrl}/p/${slug}/feedback`;
}

/** Returns the URL of a file: `/b/<id>` below the owner's public page. */
export function blobUrl(site: Site, namespace: string, id: string): string {
  return `${ownerUrl(site, namespace)}b/${id}`;
}

/** Returns the URL of a restricted file on the service's own host, where readers have sessions. */
export function restrictedFileUrl({ baseUrl }: Site, namespace: string, id: string): string {
  return `${baseUrl}/files/${namespace}/${id}`;
}

/** Returns the URL of the page that confirms a device code. */
export function verificationUrl(site: Site, code: string): string {
  return `${site.baseUrl}/verify?code=${code}`;
}

/** Returns the callback URL for the identity provider. */
export function callbackUrl(site: Site): string {
  return `${site.baseUrl}/api/auth/idp/callback`;
}

/** Returns the prefix of an owner's paths if owners have no hosts. */
export function ownerPath(namespace: string): string {
  return `/@${namespace}`;
}

/**
 * Returns the URL for reporting a page, which is the operator's contact. For a `mailto` URL, adds a subject with the page's URL (RFC 6068,
 * section 2). Returns undefined if the operator has set no contact.
 */
export function reportAddress(pageUrl: string): string | undefined {
  const contact = findEnvironment(environmentNames.securityContact);
  const isBareMailbox = contact?.startsWith("mailto:") && !contact.includes("?");
  return isBareMailbox ? `${contact}?subject=${encodeURIComponent(`Report: ${pageUrl}`)}` : contact;
}

const formAdvice = "This form was sent from another site. Open the page and try again.";

/**
 * Refuses forms from pages of other hosts. Accepts requests without Origin.
 *
 * @param message shown to the sender
 * @throws ApiError `forbidden`
 */
export function requireSameOrigin(request: HttpRequest, site: Site, message: string = formAdvice): void {
  if (!isSameOrigin(request, site)) throw new ApiError("forbidden", { message });
}

/**
 * Recognizes requests from pages of the same host, and requests without Origin, which cannot be forged forms because browsers send Origin
 * with every POST (Fetch Standard, section 3.2).
 */
function isSameOrigin(request: HttpRequest, site: Site): boolean {
  if (request.headers.origin === undefined) return true;
  return (
    singleHeader(request, "origin") === `${new URL(site.baseUrl).protocol}//${request.host.toLowerCase()}`
  );
}

/**
 * Refuses forms from pages of other hosts. Unlike `requireSameOrigin`, accepts a request without Origin only if Sec-Fetch-Site is
 * `same-origin` or `none`. SameSite cookies do not suffice, because owners' hosts are the same site as the service. A sandboxed page, whose
 * origin is `null`, is refused too.
 *
 * @throws ApiError `forbidden`
 */
export function requireOwnPage(request: HttpRequest, site: Site): void {
  const hasOrigin = request.headers.origin !== undefined;
  const isOwn = hasOrigin ? isSameOrigin(request, site) : fetchSite(request) === "own";
  if (!isOwn) throw new ApiError("forbidden", { message: formAdvice });
}

const frames = new Set(["iframe", "frame", "embed", "object"]);

/**
 * Reads the destination of a browser's request from Sec-Fetch-Dest (Fetch Metadata Request Headers, section 2.1): a window, a frame, or
 * another part of a page, such as a script or an image. Scripts cannot set this header. Programs and browsers from before 2023 do not send
 * it.
 */
export function fetchDestination(request: HttpRequest) {
  if (request.headers["sec-fetch-dest"] === undefined) return "untold";
  const destination = singleHeader(request, "sec-fetch-dest") ?? "";
  if (destination === "document") return "window";
  return frames.has(destination) ? "frame" : "part";
}

/**
 * Recognizes a request for a page that a person opened in a window. If Sec-Fetch-Dest is missing, as in browsers from before 2023, checks
 * whether the user agent begins with `Mozilla/`.
 */
export function isWindow(request: HttpRequest): boolean {
  const destination = fetchDestination(request);
  if (destination !== "untold") return destination === "window";
  return (singleHeader(request, "user-agent") ?? "").startsWith("Mozilla/");
}

/**
 * Recognizes a request that opens a published page in a window on the base host, although the page's owner has a host. The edge marks such
 * requests with a header.
 */
export function isWindowOnBaseHost(request: HttpRequest): boolean {
  return request.headers[edgeHeaders.window] !== undefined;
}

/**
 * Recognizes requests for frames, images and scripts from a page of another host. Pages on owners' hosts can make such requests with
 * cookies, despite SameSite, because these hosts are the same site.
 */
export function isFromForeignPage(request: HttpRequest): boolean {
  const destination = fetchDestination(request);
  return (destination === "frame" || destination === "part") && fetchSite(request) !== "own";
}

/**
 * Compares the origins of the requested URL and the requesting page by Sec-Fetch-Site (Fetch Metadata Request Headers, section 2.4). `own`
 * includes URLs that a person typed.
 */
export function fetchSite(request: HttpRequest) {
  if (request.headers["sec-fetch-site"] === undefined) return "untold";
  const site = singleHeader(request, "sec-fetch-site");
  return site === "same-origin" || site === "none" ? "own" : "elsewhere";
}

/**
 * Refuses requests from pages of other sites: images, frames, prefetches, forms, scripts. Otherwise, such a page could use up its visitor's
 * limits, or find out whether the visitor is signed in. From browsers from before 2023, refuses only requests with Origin (Fetch Metadata
 * Request Headers, section 2; Fetch Standard, section 3.2).
 *
 * @throws ApiError `forbidden`, or `invalid_arg` if the operation does not declare `forbidden`
 */
export function refuseForeignPages(route: Route, request: HttpRequest, site: Site): void {
  if (isSameOrigin(request, site) && !isFromForeignPage(request) && !isPrefetched(request)) return;
  throw new ApiError(route.errors.includes("forbidden") ? "forbidden" : "invalid_arg", {
    message:
      "This request came from a page of another site. Open the address in a new tab, or call it from a program.",
  });
}

/** Recognizes a browser's prefetch request by the header Sec-Purpose; see HTML Standard, section "Speculative loading". */
export function isPrefetched(request: HttpRequest): boolean {
  return /^prefetch\b/.test(singleHeader(request, "sec-purpose") ?? "");
}

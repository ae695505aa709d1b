import { createHash, randomBytes } from "node:crypto";
import preferredMediaTypes from "negotiator/lib/mediaType.js";
import { embeddingAncestors } from "../core/environment.ts";
import { type ApiError, errorCatalog, type PageLink, wordsFor } from "../core/errors.ts";
import type { HttpRequest } from "../http/request.ts";
import {
  type EdgeCaching,
  edgeCacheHeaders,
  errorHeaders,
  errorJson,
  type HttpResponse,
} from "../http/response.ts";
import type { Route } from "../http/route.ts";
import { classifyHost, fetchDestination, readSite, requestedPath } from "../http/site.ts";
import type { InlineSources } from "./document.tsx";
import { renderErrorPage } from "./sheet.tsx";
import { text } from "./text.ts";

/** Presents an error as a page or JSON, depending on the operation and the request's Accept header (RFC 9110, section 12.5.1). */
export function presentPageError(error: ApiError, route: Route, request: HttpRequest): HttpResponse {
  const preferred =
    route.errorsAs === "page" ? ["text/html", "application/json"] : ["application/json", "text/html"];
  const accept = request.headers.accept?.join(", ") ?? "*/*";
  const [chosen] = preferredMediaTypes(accept, preferred);
  const isJson = (chosen ?? preferred[0]) === "application/json";
  const response = isJson ? errorJson(error) : errorPage(error, route, request);
  return request.method === "HEAD" ? withMessageHeader(response, error) : response;
}

const messageBytesMax = 1_000;

/** Copies the error message into a header, in ASCII, because a response to HEAD has no body. */
function withMessageHeader(response: HttpResponse, { message }: ApiError): HttpResponse {
  const text = message.replaceAll("…", "...").replace(/[^\x20-\x7e]/g, " ");
  const headers = { ...response.headers, "x-error-message": text.slice(0, messageBytesMax) };
  return { ...response, headers };
}

/** Kinds of pages, each with its own Content Security Policy. */
type PageKind =
  | "viewer"
  | "comparison"
  | "feedback"
  | "gate"
  | "framed"
  | "sign-in"
  | "signed-in"
  | "token"
  | "public";

const publicSources = "form-action 'self'; frame-ancestors 'none'";
/** Part of the viewer's Content Security Policy, without the sources of its inline script and style. */
const viewerSources = () =>
  `connect-src 'self'; frame-src 'self'; form-action 'self'; frame-ancestors ${embeddingAncestors()}`;

const common = "default-src 'none'; base-uri 'none'; img-src data:";

const withScript = (nonce: string) => `${common}; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'`;

const policies: Readonly<Record<PageKind, (nonce: string) => string>> = {
  viewer: (nonce) => `${withScript(nonce)}; ${viewerSources()}`,
  // The comparison page's only script shows local times, and cannot send requests.
  comparison: (nonce) => `${withScript(nonce)}; frame-src 'self'; ${publicSources}`,
  // The feedback page's only script exchanges messages with the page's frame, and cannot send requests.
  feedback: (nonce) => `${withScript(nonce)}; frame-src 'self'; ${publicSources}`,
  // The passcode page's only script cannot send requests; see docs/adr/0025-requests-at-the-edge.md.
  gate: (nonce) => `${withScript(nonce)}; ${publicSources}`,
  // Other sites may frame an error page, because it shows no content of a drop.
  framed: (nonce) =>
    `${common}; style-src 'nonce-${nonce}'; form-action 'none'; frame-ancestors ${embeddingAncestors()}`,
  "sign-in": (nonce) => `${common}; style-src 'nonce-${nonce}'; ${publicSources}`,
  // Scripts of signed-in pages show local times and copy a link, and cannot send requests.
  "signed-in": (nonce) => `${withScript(nonce)}; ${publicSources}`,
  // The token page's only script copies text from the page, and cannot send requests; see docs/adr/0006-sign-in-pages.md.
  token: (nonce) => `${withScript(nonce)}; form-action 'none'; frame-ancestors 'none'`,
  public: (nonce) => `${withScript(nonce)}; ${publicSources}`,
};

/** Adds the origins of frames on other hosts, such as folders' hosts, to a page's policy. */
function withFramesFrom(policy: string, addresses: readonly (string | undefined)[] = []): string {
  const origins = addresses.flatMap((address) =>
    address?.startsWith("http") ? new URL(address).origin : [],
  );
  return policy.replace("frame-src 'self'", ["frame-src 'self'", ...new Set(origins)].join(" "));
}

/** Adds the origin of a page's pictures to its policy. */
function withPicturesFrom(policy: string, origin: string | undefined): string {
  return origin === undefined ? policy : policy.replace("img-src data:", `img-src data: ${origin}`);
}

/** Options of a response that is an HTML page. */
interface PageOptions {
  /** @default 200 */
  readonly status?: number;
  /** @default - none */
  readonly cookies?: readonly string[];
  /**
   * URL of another program to which a form of this page redirects. Forms may then redirect to every https URL, because the program may
   * redirect further. A window that the program has opened keeps its opener.
   *
   * @default - forms go to this host only
   */
  readonly leadsTo?: string;
  /** The origin from which the page loads pictures. @default - the page has only inline pictures */
  readonly picturesFrom?: string | undefined;
  /** URLs of the page's frames. @default - the frames are on the page's own host */
  readonly frames?: readonly (string | undefined)[];
  /** If false, a header forbids search engines to list the page. @default - no header */
  readonly indexed?: boolean;
}

function policyOf(kind: PageKind, nonce: string, { leadsTo, picturesFrom, frames }: PageOptions): string {
  const policy = withFramesFrom(withPicturesFrom(policies[kind](nonce), picturesFrom), frames);
  if (leadsTo === undefined) return policy;
  return policy.replace("form-action 'self'", `form-action 'self' https:${sourceOf(new URL(leadsTo))}`);
}

/** Returns the `form-action` source for a URL whose scheme is not https; see Content Security Policy Level 3, section 2.3.1. */
function sourceOf({ protocol, hostname, origin }: URL): string {
  if (protocol === "https:") return "";
  // Sources cannot contain an IPv6 address, or a host after a private-use scheme.
  return protocol !== "http:" || hostname.startsWith("[") ? ` ${protocol}` : ` ${origin}`;
}

/** Returns a page of the service with the headers of its kind. `render` gets the nonce that the page's styles and scripts must have. */
export function page(
  kind: PageKind,
  render: (nonce: string) => string,
  options: PageOptions = {},
): HttpResponse {
  const nonce = randomBytes(16).toString("base64");
  return {
    status: options.status ?? 200,
    headers: {
      ...commonHeaders,
      ...(options.leadsTo === undefined ? {} : { "cross-origin-opener-policy": "unsafe-none" }),
      "content-security-policy": policyOf(kind, nonce, options),
      ...(options.indexed === false ? noIndex : {}),
      "cache-control": "no-store",
    },
    ...(options.cookies ? { cookies: options.cookies } : {}),
    body: render(nonce),
  };
}

/**
 * Returns a page that is the same for all viewers, so that the edge can cache it. The policy allows inline styles and scripts by hash
 * (Content Security Policy Level 3, section 2.3.1), because a nonce must not be cached.
 */
export function cachedPage(
  body: string,
  {
    kind = "public",
    inline,
    caching,
    picturesFrom,
    frames,
    indexed,
  }: Pick<PageOptions, "frames" | "indexed" | "picturesFrom"> & {
    /** @default public */
    readonly kind?: "public" | "viewer";
    readonly inline: InlineSources;
    readonly caching: EdgeCaching;
  },
): HttpResponse {
  const sources = [
    withPicturesFrom(common, picturesFrom),
    ...(inline.script === undefined ? [] : [`script-src ${hashSource(inline.script)}`]),
    `style-src ${hashSource(inline.style)}`,
  ];
  return {
    status: 200,
    headers: {
      ...commonHeaders,
      "content-security-policy": [
        ...sources,
        kind === "viewer" ? withFramesFrom(viewerSources(), frames) : publicSources,
      ].join("; "),
      ...(indexed === false ? noIndex : {}),
      ...edgeCacheHeaders(caching),
    },
    body,
  };
}

const noIndex = { "x-robots-tag": "noindex" } as const;

const commonHeaders = {
  "content-type": "text/html; charset=utf-8",
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "same-origin",
} as const;

function hashSource(source: string): string {
  return `'sha256-${createHash("sha256").update(source).digest("base64")}'`;
}

/** Statuses of temporary failures. In a frame, the error page then has a link that loads the frame again. */
const temporary: ReadonlySet<number> = new Set([429, 500, 503]);

/** Renders an error page for people. The page names the problem, and links to the next step. */
function errorPage(error: ApiError, route: Route, request: HttpRequest): HttpResponse {
  const { status } = error;
  const isInFrame = temporary.has(status) && fetchDestination(request) === "frame";
  const render = (nonce: string) =>
    renderErrorPage({
      status,
      heading: isInFrame ? text.error.notLoaded : headingFor(error),
      message: adviceFor(error),
      // An empty reference means the current URL (RFC 3986, section 4.4).
      way: error.way ?? (isInFrame ? { href: "", label: text.error.again } : wayOn(route, request)),
      nonce,
    });
  const response = page(error.pageKind ?? (isInFrame ? "framed" : "sign-in"), error.renderPage ?? render, {
    status,
    frames: error.frames,
  });
  return { ...response, headers: { ...response.headers, ...errorHeaders(error) } };
}

/** Returns the heading of an error page: the reason if the person may not use the service, otherwise a heading for the status. */
function headingFor(error: ApiError): string {
  const reason = error.toBody().error.details?.reason;
  return text.error.reasons[String(reason)] ?? text.error.heading(error.status);
}

/**
 * Returns the text of an error page. Replaces the default message of an error code, which is written for programs. An error's own message
 * is suitable for people.
 */
function adviceFor({ code, message, retryAfterSeconds }: ApiError): string {
  if (message !== wordsFor("http", errorCatalog[code].message)) return message;
  if (code === "rate_limited" && retryAfterSeconds !== undefined) {
    return text.error.wait(Math.max(1, Math.ceil(retryAfterSeconds / 60)));
  }
  return text.error.advice[code] ?? message;
}

/** Returns the link of an error page: the account page, a new sign-in, the owner's other pages, or the home page. */
function wayOn(route: Route, request: HttpRequest): PageLink {
  const site = readSite(request);
  const host = classifyHost(site, request.host, request.owner);
  if (route.caller === "session") return { href: "/account", label: text.error.own };
  if (host.kind === "base" && route.resource === "auth") return { href: "/login", label: text.error.signIn };
  if (host.kind === "owner" && route.id !== "show-owner-page")
    return { href: requestedPath(host, "/"), label: text.error.owner(host.namespace) };
  return { href: `${site.baseUrl}/`, label: text.error.home };
}

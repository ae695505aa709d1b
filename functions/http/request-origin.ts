import { edgeHeaders } from "../runtime/environment.ts";
import { ApiError } from "../runtime/errors.ts";
import { type HttpRequest, singleHeader } from "./request.ts";
import type { Route } from "./route.ts";
import type { Site } from "./site.ts";

const formAdvice = "This form was sent from another site. Open the page and try again.";

/**
 * Lets a form through only from a page of the same host.
 *
 * @param message what whoever sent it is told
 * @throws ApiError `forbidden`
 */
export function requireSameOrigin(request: HttpRequest, site: Site, message: string = formAdvice): void {
  if (!isSameOrigin(request, site)) throw new ApiError("forbidden", { message });
}

/**
 * Whether a request comes from a page of the same host, or from no page. Browsers send Origin with every POST (Fetch
 * Standard, section 3.2); what sends none is no browser, and has no cookies to be misused.
 */
function isSameOrigin(request: HttpRequest, site: Site): boolean {
  if (request.headers.origin === undefined) return true;
  return (
    singleHeader(request, "origin") === `${new URL(site.baseUrl).protocol}//${request.host.toLowerCase()}`
  );
}

/**
 * Lets a form through that a page of the same host has sent, and nothing else: unlike `requireSameOrigin`, not what says
 * nothing of where it comes from. Owners' hosts are of one site with this one, so that their pages' forms bring the cookies
 * of a session along, whatever its SameSite; and a page in a sandbox says `null`.
 *
 * @throws ApiError `forbidden`
 */
export function requireOwnPage(request: HttpRequest, site: Site): void {
  const isSaid = request.headers.origin !== undefined;
  const isOwn = isSaid ? isSameOrigin(request, site) : fetchSite(request) === "own";
  if (!isOwn) throw new ApiError("forbidden", { message: formAdvice });
}

/**
 * What a browser wants a response for (Fetch Metadata Request Headers, section 2.1): a window, a frame in a page, or
 * something that a page's script may read or that is part of a page. No script can set the header. Programs that are
 * no browsers, and browsers from before 2023, do not send it.
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
 * Tells whether a person opened an address in a window. Browsers from before 2023 do not say what a request is for; all browsers call
 * themselves Mozilla.
 */
export function isWindow(request: HttpRequest): boolean {
  const destination = fetchDestination(request);
  if (destination !== "untold") return destination === "window";
  return (singleHeader(request, "user-agent") ?? "").startsWith("Mozilla/");
}

/**
 * Whether a browser wants a published page for a window at the service's own host, where there are owners' hosts. The edge
 * says so, since its cache knows the answer by that and not by what the browser sent.
 */
export function isWindowOnBaseHost(request: HttpRequest): boolean {
  return request.headers[edgeHeaders.window] !== undefined;
}

/**
 * Tells whether a page of another host made the browser send a request without a window: frames, images, scripts' requests. Owners'
 * hosts are of one site with the base host, so that cookies come along with such requests whatever their SameSite.
 */
export function isFromForeignPage(request: HttpRequest): boolean {
  const destination = fetchDestination(request);
  return (destination === "frame" || destination === "part") && fetchSite(request) !== "own";
}

/** Where the page lives that made a browser send a request, seen from here (Fetch Metadata, section 2.4). */
type FetchSite = "own" | "elsewhere" | "untold";

/** `own` is also what a person typed, or opened from a program that is no browser. */
export function fetchSite(request: HttpRequest): FetchSite {
  if (request.headers["sec-fetch-site"] === undefined) return "untold";
  const site = singleHeader(request, "sec-fetch-site");
  return site === "same-origin" || site === "none" ? "own" : "elsewhere";
}

/**
 * Refuses what somebody else's page makes its visitor's browser send without a window: images, frames, prefetched
 * pages, forms, scripts' requests. So no page can use up the limits that its visitor's network has, or look for what a
 * sign-in answers. Browsers from before 2023 say less: of them only what sends an Origin is seen (Fetch Metadata Request
 * Headers, section 2; Fetch Standard, section 3.2).
 *
 * @throws ApiError `forbidden`, or `invalid_arg` where the specification's row has no status for it
 */
export function refuseForeignPages(route: Route, request: HttpRequest, site: Site): void {
  if (isSameOrigin(request, site) && !isFromForeignPage(request) && !isPrefetched(request)) return;
  throw new ApiError(route.errors.includes("forbidden") ? "forbidden" : "invalid_arg", {
    message:
      "This was sent from another site's page. Open the address in a window of its own, or call it from a program.",
  });
}

/** Tells whether a browser fetches it for later, unasked; "Sec-Purpose": HTML Standard, section "Speculative loading". */
export function isPrefetched(request: HttpRequest): boolean {
  return /^prefetch\b/.test(singleHeader(request, "sec-purpose") ?? "");
}

import { edgeHeaders } from "../contract/environment.ts";
import { type HttpRequest, singleHeader } from "./request.ts";

/**
 * What a browser wants an answer for (Fetch Metadata Request Headers, section 2.1): a window, a frame in a page, or
 * something that a page's script may read or that is part of a page. No script can set the header. Programs that are
 * no browsers, and browsers from before 2023, do not send it.
 */
export type FetchDestination = "window" | "frame" | "part" | "untold";

const frames = new Set(["iframe", "frame", "embed", "object"]);

/** The destination of a request. */
export function fetchDestination(request: HttpRequest): FetchDestination {
  if (request.headers["sec-fetch-dest"] === undefined) return "untold";
  const destination = singleHeader(request, "sec-fetch-dest") ?? "";
  if (destination === "document") return "window";
  return frames.has(destination) ? "frame" : "part";
}

/** Whether a browser sent the request, and did not say what for: all browsers call themselves Mozilla. */
export function isUntellingBrowser(request: HttpRequest): boolean {
  const agent = singleHeader(request, "user-agent") ?? "";
  return fetchDestination(request) === "untold" && agent.startsWith("Mozilla/");
}

/**
 * Whether a browser wants a published page for a window at the service's own host, where there are owners' hosts. The edge
 * says so, since its cache knows the answer by that and not by what the browser sent.
 */
export function isWindowOnBaseHost(request: HttpRequest): boolean {
  return request.headers[edgeHeaders.window] !== undefined;
}

/** Where the page lives that made a browser send a request, seen from here (Fetch Metadata, section 2.4). */
export type FetchSite = "own" | "elsewhere" | "untold";

/** `own` is also what a person typed, or opened from a program that is no browser. */
export function fetchSite(request: HttpRequest): FetchSite {
  if (request.headers["sec-fetch-site"] === undefined) return "untold";
  const site = singleHeader(request, "sec-fetch-site");
  return site === "same-origin" || site === "none" ? "own" : "elsewhere";
}

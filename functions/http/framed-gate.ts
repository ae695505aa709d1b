import { renderReloadPage } from "../views/reload-page.tsx";
import type { HttpAnswer } from "./answer.ts";
import { page } from "./page-answer.ts";
import { type HttpRequest, singleHeader } from "./request.ts";

const framedDestinations = new Set(["iframe", "frame", "embed", "object"]);

/** Whether a browser wants the page for a frame (Fetch Metadata Request Headers, section 2.1). */
export function isFramed(request: HttpRequest): boolean {
  return framedDestinations.has(singleHeader(request, "sec-fetch-dest") ?? "");
}

/**
 * What the viewer's frame shows of a locked drop without a cookie: the gate cannot work there, since a sandboxed page
 * that sends a form, or loads itself again, brings no SameSite cookie.
 */
export function reloadPage(): HttpAnswer {
  return page("framed", (nonce) => renderReloadPage({ nonce }));
}

import { ApiError } from "../contract/api-error.ts";
import type { Site } from "../domain/addresses.ts";
import { type HttpRequest, singleHeader } from "./request.ts";

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
export function isSameOrigin(request: HttpRequest, site: Site): boolean {
  if (request.headers.origin === undefined) return true;
  return (
    singleHeader(request, "origin") === `${new URL(site.baseUrl).protocol}//${request.host.toLowerCase()}`
  );
}

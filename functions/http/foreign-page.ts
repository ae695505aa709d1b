import { ApiError } from "../contract/api-error.ts";
import type { Route } from "../contract/route.ts";
import type { Site } from "../domain/addresses.ts";
import { fetchDestination, fetchSite } from "./fetch-destination.ts";
import { type HttpRequest, singleHeader } from "./request.ts";
import { isSameOrigin } from "./same-origin.ts";

/**
 * Refuses what somebody else's page makes its visitor's browser send without a window: images, frames, prefetched
 * pages, forms, scripts' requests. So no page can use up the limits that its visitor's network has, or look for what a
 * sign-in answers. Browsers from before 2023 say less: of them only what sends an Origin is seen (Fetch Metadata Request
 * Headers, section 2; Fetch Standard, section 3.2).
 *
 * @throws ApiError `forbidden`, or `invalid_arg` where the specification's row has no status for it
 */
export function refuseForeignPages(route: Route, request: HttpRequest, site: Site): void {
  const destination = fetchDestination(request);
  const isOpened = destination === "window" || destination === "untold";
  const isOwn = isOpened || fetchSite(request) === "own";
  if (isSameOrigin(request, site) && isOwn && !isPrefetched(request)) return;
  throw new ApiError(route.errors.includes("forbidden") ? "forbidden" : "invalid_arg", {
    message:
      "This was sent from another site's page. Open the address in a window of its own, or call it from a program.",
  });
}

/** "Sec-Purpose": HTML Standard, section "Speculative loading". */
function isPrefetched(request: HttpRequest): boolean {
  return /^prefetch\b/.test(singleHeader(request, "sec-purpose") ?? "");
}

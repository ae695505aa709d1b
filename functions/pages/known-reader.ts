import { ApiError } from "../platform/errors.ts";
import type { HttpRequest } from "../platform/request.ts";
import { fetchDestination, isPrefetched } from "../platform/request-origin.ts";
import { bindingOf } from "../readers/bind.ts";
import { type EntranceAddress, entranceQuery } from "../readers/destination.ts";
import { isOfKnownReader, passOf } from "../readers/pass.ts";

/**
 * Whether somebody comes to what seems not to be there who has signed in before on this host: for them it may be. Whether there is
 * such a drop makes no difference. Who has just come from there, and has nothing, is not sent again.
 */
export function isMissingToKnownReader(error: unknown, request: HttpRequest, slug: string): boolean {
  if (!(error instanceof ApiError) || error.code !== "not_found") return false;
  const isWindow = fetchDestination(request) === "window" && !isPrefetched(request);
  const isOnTheWay = bindingOf(request, slug) !== undefined || passOf(request, slug) !== undefined;
  return isWindow && isOfKnownReader(request) && !isOnTheWay;
}

/** The path by which a known reader signs in, and comes back to where that began. */
export function knownReaderPath(slug: string, entrance: EntranceAddress): string {
  const way = entranceQuery({ ...entrance, version: entrance.version || undefined });
  way.set("account", "known");
  return `/p/${slug}/read?${way}`;
}

import { isGuarded } from "../drops/drop.ts";
import { ApiError } from "../platform/errors.ts";
import type { HttpResponse } from "../platform/response.ts";
import neutralCard from "../renders/neutral-card.png";
import { findPicture } from "../renders/pictures.ts";
import type { ShownPicture } from "../renders/render.ts";
import { pageCacheHeaders } from "./raw-response.ts";
import type { ServedVersion } from "./served-version.ts";

/**
 * A picture of a page, for links and lists. Of what not everybody may see, and while there is none, the card is the one of all such
 * pages, byte for byte, and a thumbnail is not there: docs/adr/0066-cards-and-thumbnails.md.
 *
 * @throws ApiError `not_found`
 */
export async function drawnPage(
  name: ShownPicture,
  found: ServedVersion,
  { isPinned }: { readonly isPinned: boolean },
): Promise<HttpResponse> {
  const isForAll = found.kind === "version" && !isGuarded(found.drop);
  const picture = isForAll ? await findPicture(found.drop, found, name) : undefined;
  if (isForAll && picture !== undefined) {
    const caching = pageCacheHeaders({ drop: found.drop, isPinned, isGuarded: false });
    const headers = { ...pictureHeaders(picture.mediaType), etag: picture.etag, ...caching };
    return { status: 200, headers, body: picture.bytes };
  }
  if (name === "thumbnail") throw new ApiError("not_found");
  // Nobody keeps it: there may be another in a moment.
  const headers = { ...pictureHeaders("image/png"), "cache-control": "no-store" };
  return { status: 200, headers, body: neutralCard };
}

/** Pages of every site may show it, and nothing in it runs. */
function pictureHeaders(mediaType: string) {
  return {
    "content-type": mediaType,
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "cross-origin",
    "x-robots-tag": "noindex",
    "referrer-policy": "no-referrer",
  };
}

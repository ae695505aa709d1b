import { ApiError } from "../core/errors.ts";
import { type Drop, isGuarded, type Version } from "../drops/drop.ts";
import { pages } from "../drops/page-objects.ts";
import type { ReadableVersion } from "../gate/readable-version.ts";
import type { HttpResponse } from "../http/response.ts";
import neutralCard from "../renders/neutral-card.png";
import { pictureKey, pictureOf, type ShownPicture } from "../renders/render.ts";
import { renders } from "../renders/store.ts";
import { pageCacheHeaders } from "./raw-response.ts";

/**
 * Responds with a picture of a page, for links and lists. Restricted drops, and drops without a picture, get a neutral preview picture and
 * no thumbnail; see docs/adr/0066-rendered-pictures.md.
 *
 * @throws ApiError `not_found` if there is no thumbnail
 */
export async function renderedPicture(
  name: ShownPicture,
  found: ReadableVersion,
  { isPinned, nowMs }: { readonly isPinned: boolean; readonly nowMs: number },
): Promise<HttpResponse> {
  const isForAll = found.kind === "version" && !isGuarded(found.drop);
  const picture = isForAll ? await findPicture(found.drop, found, name) : undefined;
  if (isForAll && picture !== undefined) {
    const caching = pageCacheHeaders({ drop: found.drop, isPinned, isGuarded: false, nowMs });
    const headers = { ...pictureHeaders(picture.mediaType), etag: picture.etag, ...caching };
    return { status: 200, headers, body: picture.bytes };
  }
  if (name === "thumbnail") throw new ApiError("not_found");
  // The neutral picture is not cached, because the rendered picture may be ready soon.
  const headers = { ...pictureHeaders("image/png"), "cache-control": "no-store" };
  return { status: 200, headers, body: neutralCard };
}

/** Headers of a picture. Any site may embed the picture. Scripts in it are disabled. */
function pictureHeaders(mediaType: string) {
  return {
    "content-type": mediaType,
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "cross-origin",
    "x-robots-tag": "noindex",
    "referrer-policy": "no-referrer",
  };
}

/**
 * Finds the card or thumbnail of a version, or undefined. The caller checks that the reader may see the picture. The
 * picture's `etag` is unique for each rendering, even of the same version.
 */
export async function findPicture(
  drop: Drop,
  { version, pageKey }: Pick<Version, "version" | "pageKey">,
  name: ShownPicture,
) {
  const render = await renders.find(drop.slug, version);
  const picture = render && pictureOf(render, drop, name);
  // Skips a picture of other content. A version that an operator has restored may have the number of a different version.
  if (picture === undefined || render?.folder === undefined || render.pageKey !== pageKey) return undefined;
  const bytes = await pages.getBytes(pictureKey(render.folder, picture));
  return bytes && { ...picture, bytes, etag: `"${render.folder.split("/").at(-1)}"` };
}

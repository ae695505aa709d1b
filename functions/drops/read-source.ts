import { ApiError } from "../core/errors.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { sourceKey } from "./drop.ts";
import { noSuchVersion } from "./items.ts";
import { publicDrops } from "./public-drops.ts";
import { respondWithStored } from "./stored-bytes.ts";
import { readSourceRoute } from "./version-rows.ts";

/** GET /api/drops/{slug}/source: returns a page's Markdown source to its owner, byte for byte as it was sent. */
export const readSource = tokenOperation(readSourceRoute, async ({ caller, path, query, request, nowMs }) => {
  const { slug } = path;
  const drop = await publicDrops.requireDrop(caller.userId, slug, nowMs);
  const number = query.v ?? drop.latest.version;
  const version = await publicDrops.findVersion(slug, number);
  if (version === undefined) throw noSuchVersion(drop, number);
  if (version.source === undefined) {
    throw new ApiError("not_found", {
      message: `Version ${number} was published as HTML, not as Markdown. Read it with GET /api/drops/${slug}/html?v=${number}.`,
    });
  }
  const key = sourceKey(version.pageKey);
  return respondWithStored(request, { key, contentType: "text/markdown; charset=utf-8" });
});

import { withToolOperation } from "../http/operation.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { publicDrops } from "./public-drops.ts";
import { pageHtml, readDrop } from "./read-drop.ts";
import { respondWithStored } from "./stored-bytes.ts";
import { readHtmlRoute } from "./version-rows.ts";

/** GET /api/drops/{slug}/html: returns a page to its owner, byte for byte as it was published, even if it is locked. */
export const readHtml = withToolOperation(
  tokenOperation(readHtmlRoute, async ({ caller, path, query, request, nowMs }) => {
    const asked = { ownerId: caller.userId, slug: path.slug, version: query.v };
    const { found } = await publicDrops.requireVersion(asked, nowMs);
    return respondWithStored(request, { key: found.pageKey, contentType: "text/html; charset=utf-8" });
  }),
  readDrop,
  pageHtml,
);

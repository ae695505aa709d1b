import { createHash } from "node:crypto";
import { ApiError } from "../core/errors.ts";
import { pageOperation } from "../http/page-operation.ts";
import { edgeCacheHeaders, isConditionSupported, ownerTag } from "../http/response.ts";
import { mediaTypes } from "../http/route.ts";
import { findOwnerFeed, renderOwnerFeed } from "./owner-feed.ts";
import { showOwnerFeedRoute } from "./rows.ts";

/** Edge cache time in seconds, the same as for an owner's page; see docs/adr/0028-owner-pages.md. */
const edgeSeconds = 2;

/** GET /feed on an owner's host: lists published and changed drops for feed readers. The response is the same for every caller. */
export const showOwnerFeed = pageOperation(showOwnerFeedRoute, async ({ request, host, site, nowMs }) => {
  const namespace = host.kind === "owner" ? host.namespace : "";
  const drops = await findOwnerFeed(namespace, nowMs);
  if (drops === undefined) throw new ApiError("not_found");
  const body = renderOwnerFeed(namespace, drops, site);
  const etag = `"${createHash("sha256").update(body).digest("base64url")}"`;
  const caching = edgeCacheHeaders({ edgeSeconds, tags: [ownerTag(namespace)] });
  const headers = { etag, ...caching, "x-robots-tag": "noindex" };
  if (isConditionSupported(request, etag)) return { status: 304, headers, body: "" };
  return {
    status: 200,
    headers: {
      ...headers,
      "content-type": mediaTypes.atom,
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    },
    body,
  };
});

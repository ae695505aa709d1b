import { undefinedIfNotFound } from "../core/errors.ts";
import type { Drop } from "../drops/drop.ts";
import { hasGatePass, hasStateKey } from "../gate/gate.ts";
import { findDropOfOwner, findReadableDrop } from "../gate/readable-version.ts";
import { pageOperation } from "../http/page-operation.ts";
import { cachedOk, dropTag, ok, ownerTag } from "../http/response.ts";
import type { SiteHost } from "../http/site.ts";
import { canRead } from "../policies/access.ts";
import type { DropState } from "./drop-state.ts";
import { readDropStateRoute } from "./rows.ts";

/** Edge cache time of a drop's state; see docs/adr/0058-viewer-polling.md. */
const edgeSeconds = 2;

/**
 * GET /p/{slug}/state: responds with the drop's state, which an open viewer polls. For callers without access, the
 * response is the same as for a deleted drop. The status is always 200, because the edge does not cache errors, and
 * every poll for a deleted drop would reach this function.
 */
export const readDropState = pageOperation(readDropStateRoute, async (input) => {
  const { request, host, path, query, nowMs } = input;
  const { slug } = path;
  const found =
    host.kind === "base"
      ? await findReadableDrop({ request, slug, to: `/p/${slug}`, nowMs }).catch(undefinedIfNotFound)
      : await findOpen(host, slug, nowMs);
  const drop = found?.drop;
  const hasPass = drop && ((await hasStateKey(drop, query.key)) || (await hasGatePass(request, drop, nowMs)));
  const state = presentState(drop, hasPass === true);
  // The edge forwards cookies only with `reader=1`, so all other responses may be cached.
  const tags = [dropTag(slug), ...(drop === undefined ? [] : [ownerTag(drop.namespace)])];
  return query.reader === "1" ? ok(state) : cachedOk(state, { edgeSeconds, tags });
});

async function findOpen(host: SiteHost, slug: string, nowMs: number) {
  const drop = await findDropOfOwner(host, slug, nowMs);
  return drop && canRead(drop, undefined, nowMs) ? { drop } : undefined;
}

function presentState(drop: Drop | undefined, hasPass: boolean): DropState {
  if (drop === undefined) return { state: "gone" };
  return hasPass ? { state: "open", latest_version: drop.latest.version } : { state: "locked" };
}

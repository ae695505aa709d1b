import { withToolOperation } from "../http/operation.ts";
import { accepted, ok } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { presentRender } from "./presenter.ts";
import { getRenderStatus } from "./render-status.ts";
import { getRenderRoute } from "./rows.ts";
import { pagePicture, seeDrop } from "./see-drop.ts";

/**
 * GET /api/drops/{slug}/render: returns a page's pictures and problems to its owner. Requests a missing render, and responds 202 until it is
 * ready.
 */
export const getRender = withToolOperation(
  tokenOperation(getRenderRoute, async ({ caller, path, query, nowMs }) => {
    const asked = { ownerId: caller.userId, slug: path.slug, version: query.v };
    const seen = await getRenderStatus(asked, nowMs);
    const body = await presentRender(seen, nowMs);
    return seen.state === "asked" ? accepted(body, body.retry_after_seconds ?? 1) : ok(body);
  }),
  seeDrop,
  pagePicture,
);

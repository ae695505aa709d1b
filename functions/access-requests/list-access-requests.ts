import { ok } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { presentAccessRequest, untrustedNotice } from "./presenter.ts";
import { listAccessRequestsRoute } from "./rows.ts";
import type { AccessRequestListResponse } from "./schemas.ts";
import { accessRequests } from "./store.ts";

/** GET /api/access-requests: lists the open requests for access to the caller's drops, newest first. */
export const listAccessRequests = tokenOperation(
  listAccessRequestsRoute,
  async ({ caller, query, nowMs }) => {
    const { cursor, pageSize: limit } = query;
    const { requests, next } = await accessRequests.list(caller.userId, { cursor, limit, nowMs });
    return ok({
      untrusted: untrustedNotice,
      requests: requests.map(({ request }) => presentAccessRequest(request)),
      next_cursor: next ?? null,
    } satisfies AccessRequestListResponse);
  },
);

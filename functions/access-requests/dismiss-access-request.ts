import { ApiError, inBothWords } from "../core/errors.ts";
import { publicDrops } from "../drops/public-drops.ts";
import { noContent } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { dismissAccessRequestRoute } from "./rows.ts";
import { accessRequests } from "./store.ts";

/** DELETE /api/access-requests/{slug}/{id}: deletes a request for access. The person may send another request. */
export const dismissAccessRequest = tokenOperation(
  dismissAccessRequestRoute,
  async ({ caller, path, act }) => {
    const { slug, id } = path;
    await publicDrops.requireDrop(caller.userId, slug, act.atMs);
    if (await accessRequests.remove({ ownerId: caller.userId, slug }, id, act)) return noContent();
    throw new ApiError("not_found", {
      message: inBothWords(
        (call) =>
          `This drop has no open request with this id. ${call("GET /api/access-requests", "list_access_requests")} lists your open requests.`,
      ),
    });
  },
);

import { ApiError } from "../core/errors.ts";
import { ok } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { ownFileAddress } from "./public-files.ts";
import { getBlobRoute } from "./rows.ts";
import { presentBlob } from "./schemas.ts";
import { blobs } from "./store.ts";

/** GET /api/blobs/{id}: returns a file of the caller, and the URL of its bytes. */
export const getBlob = tokenOperation(getBlobRoute, async ({ caller, path, site, nowMs }) => {
  const file = await blobs.find(caller.userId, path.id, nowMs);
  if (file === undefined) throw new ApiError("not_found");
  return ok({ ...presentBlob(site, file), bytes_url: await ownFileAddress(site, file, nowMs) });
});

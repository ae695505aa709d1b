import { ok } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { editOwnedBlob } from "./edit-owned-blob.ts";
import { editBlobRoute } from "./rows.ts";
import { presentBlob } from "./schemas.ts";

/** PATCH /api/blobs/{id}: changes the readers and the expiry of a file. */
export const editBlob = tokenOperation(editBlobRoute, async ({ caller, path, body, site, act }) => {
  const blob = await editOwnedBlob(caller.userId, path.id, body, act);
  return ok(presentBlob(site, blob));
});

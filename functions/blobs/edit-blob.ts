import { ok } from "../http/response.ts";
import { refundInvalid, tokenOperation } from "../http/token-operation.ts";
import { editOwnedBlob } from "./edit-owned-blob.ts";
import { editBlobRoute } from "./rows.ts";
import { presentBlob } from "./schemas.ts";

/** PATCH /api/blobs/{id}: who may read a file. */
export const editBlob = tokenOperation(editBlobRoute, async ({ caller, path, body, site, act }) => {
  const blob = await editOwnedBlob(caller.userId, path.id, body, act).catch((error) =>
    // What the operator allows is no rule of the body's own.
    refundInvalid(error, caller),
  );
  return ok(presentBlob(site, blob));
});

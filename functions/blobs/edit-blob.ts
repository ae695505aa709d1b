import { ApiError } from "../platform/errors.ts";
import { type HttpResponse, ok } from "../platform/response.ts";
import { refundInvalid, type TokenOperationInput, tokenOperation } from "../platform/token-operation.ts";
import { editBlobRoute } from "./rows.ts";
import { presentBlob } from "./schemas.ts";
import { blobs } from "./store.ts";
import { requireAllowedFile } from "./visibility.ts";

/** PATCH /api/blobs/{id}: who may read a file. */
export const editBlob = tokenOperation(editBlobRoute, (input) =>
  changeVisibility(input).catch((error) =>
    // What the operator allows is no rule of the body's own.
    refundInvalid(error, input.caller),
  ),
);

async function changeVisibility(input: TokenOperationInput<typeof editBlobRoute>): Promise<HttpResponse> {
  const { caller, path, body, site, act } = input;
  const { visibility } = body;
  if (visibility !== undefined) requireAllowedFile(visibility);
  const found = await blobs.find(caller.userId, path.id);
  if (found === undefined) throw new ApiError("not_found");
  // The same again, such as by who got no response, writes nothing.
  if (visibility === undefined || visibility === found.visibility) return ok(presentBlob(site, found));
  const isChanged = await blobs.setVisibility(found, visibility, act);
  if (!isChanged) throw new ApiError("not_found");
  return ok(presentBlob(site, { ...found, visibility }));
}

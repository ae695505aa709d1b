import { ok } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { listBlobsRoute } from "./rows.ts";
import { type BlobListResponse, presentBlob } from "./schemas.ts";
import { blobs, toListedBlob } from "./store.ts";

/** GET /api/blobs: lists one page of the caller's files. A page past the end is empty. */
export const listBlobs = tokenOperation(listBlobsRoute, async ({ caller, query, site, nowMs }) => {
  const { page, pageSize } = query;
  const rows = await blobs.listRows(caller.userId, nowMs);
  const shown = rows.slice((page - 1) * pageSize, page * pageSize);
  const list: BlobListResponse = {
    blobs: shown.map((row) => presentBlob(site, toListedBlob(row))),
    page,
    page_size: pageSize,
    total: rows.length,
  };
  return ok(list);
});

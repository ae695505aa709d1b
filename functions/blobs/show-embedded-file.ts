import { ApiError } from "../core/errors.ts";
import { pageOperation } from "../http/page-operation.ts";
import { redirect } from "../http/response.ts";
import { patterns } from "../http/schemas.ts";
import { blobUrl, fetchDestination } from "../http/site.ts";
import { findEmbeddedFile } from "./embedded-files.ts";
import { fileAddress, fileHead, filePath } from "./public-files.ts";
import { showEmbeddedFileRoute } from "./rows.ts";

/** GET /b/{id}/{key}: redirects to a restricted file that a page embeds. Requests without access go to the file's own address. */
export const showEmbeddedFile = pageOperation(showEmbeddedFileRoute, async (input) => {
  const { request, host, path, site, nowMs } = input;
  if (host.kind !== "owner" || !patterns.blobId.test(path.id)) throw new ApiError("not_found");
  const file = { namespace: host.namespace, id: path.id };
  const to = fetchDestination(request);
  const found = await findEmbeddedFile(file, { key: path.key, to, nowMs });
  if (found === undefined) return redirect(blobUrl(site, file.namespace, file.id));
  if (request.method === "HEAD") return fileHead(found);
  return redirect(await fileAddress(site, found, nowMs, `${filePath(found)}?key=${path.key}`));
});

import { ApiError } from "../../contract/api-error.ts";
import { showOwnerPageRoute } from "../../contract/page-routes.ts";
import { blobUrl, dropUrl, seenPath } from "../../domain/addresses.ts";
import { isLocked } from "../../domain/drop.ts";
import { selectShelf } from "../../domain/owner-shelf.ts";
import { page } from "../../http/page-answer.ts";
import { pageOperation } from "../../http/page-operation.ts";
import { findOwnerShelf } from "../../store/owner-shelf.ts";
import { renderOwnerPage } from "../../views/owner-page.tsx";

/** GET / on an owner's host: drops and files, newest first, a page at a time. */
export const showOwnerPage = pageOperation(showOwnerPageRoute, async ({ host, query, site }) => {
  const namespace = host.kind === "owner" ? host.namespace : "";
  const everything = await findOwnerShelf(namespace);
  const shelf = everything && selectShelf(everything, query.page);
  if (everything === undefined || shelf === undefined) throw new ApiError("not_found");
  return page("public", (nonce) =>
    renderOwnerPage({
      namespace,
      homeUrl: `${site.baseUrl}/`,
      dropCount: everything.drops.length,
      fileCount: everything.blobs.length,
      drops: shelf.drops.map((drop) => ({
        title: isLocked(drop) ? null : drop.title,
        url: dropUrl(site, namespace, drop.slug),
        updatedAtMs: drop.updatedAtMs,
        locked: isLocked(drop),
      })),
      files: shelf.blobs.map(({ id, filename, sizeBytes, contentType, createdAtMs }) => ({
        filename,
        url: blobUrl(site, namespace, id),
        sizeBytes,
        contentType,
        createdAtMs,
      })),
      page: {
        number: query.page,
        count: shelf.pageCount,
        hrefFor: (number) => seenPath(host, number === 1 ? "/" : `/?page=${number}`),
      },
      nonce,
    }),
  );
});

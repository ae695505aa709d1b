import { ApiError } from "../../contract/api-error.ts";
import { showOwnerPageRoute } from "../../contract/page-routes.ts";
import { blobUrl, dropUrl, ownerUrl, seenPath } from "../../domain/addresses.ts";
import { page } from "../../http/page-answer.ts";
import { pageOperation } from "../../http/page-operation.ts";
import { reportAddress } from "../../http/report-address.ts";
import { findShelfPage } from "../../store/owner-shelf.ts";
import { renderOwnerPage } from "../../views/owner-page.tsx";

/** GET / on an owner's host: drops and files, newest first, a page at a time. */
export const showOwnerPage = pageOperation(showOwnerPageRoute, async ({ host, query, site }) => {
  const namespace = host.kind === "owner" ? host.namespace : "";
  const shelf = await findShelfPage(namespace, query.page);
  if (shelf === undefined) throw new ApiError("not_found");
  return page("public", (nonce) =>
    renderOwnerPage({
      namespace,
      homeUrl: `${site.baseUrl}/`,
      dropCount: shelf.dropCount,
      fileCount: shelf.fileCount,
      drops: shelf.drops.map(({ slug, title, updatedAtMs }) => ({
        title,
        url: dropUrl(site, namespace, slug),
        updatedAtMs,
        locked: title === null,
      })),
      files: shelf.files.map(({ id, ...file }) => ({ ...file, url: blobUrl(site, namespace, id) })),
      page: {
        number: query.page,
        count: shelf.pageCount,
        hrefFor: (number) => seenPath(host, number === 1 ? "/" : `/?page=${number}`),
      },
      reportUrl: reportAddress(ownerUrl(site, namespace)),
      nonce,
    }),
  );
});

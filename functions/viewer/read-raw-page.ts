import { withFileAddresses } from "../blobs/embedded-files.ts";
import { objectAddress } from "../blobs/public-files.ts";
import { environmentNames } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import { isGuarded } from "../drops/drop.ts";
import { storeArchive } from "../drops/folder-archive.ts";
import { pages } from "../drops/page-objects.ts";
import { folderHostUrl } from "../drops/presenter.ts";
import { gateCardUrl, gatePage, reloadPage } from "../gate/gate.ts";
import {
  type FoundVersion,
  findVersionForReader,
  recordRead,
  redirectToBaseHost,
} from "../gate/readable-version.ts";
import type { OperationInput } from "../http/operation.ts";
import { joinQuery, pageOperation } from "../http/page-operation.ts";
import { sentQueryOf } from "../http/request.ts";
import { redirect } from "../http/response.ts";
import {
  fetchDestination,
  hasOwnOrigin,
  isWindow,
  isWindowOnBaseHost,
  rawUrl,
  requestedPath,
} from "../http/site.ts";
import { destinationOf } from "../identity/destination.ts";
import { isOpenToAll } from "../policies/access.ts";
import { folderPath } from "./folder-address.ts";
import { attachment, downloadedPage, downloadName, gateOfDownload } from "./page-download.ts";
import { pageQueryOf } from "./page-query.ts";
import { addDefaultStyle, findAnswering, formUrlOf, frameScript, rawPage } from "./raw-response.ts";
import { renderedPicture } from "./rendered-picture.ts";
import { readRawPageRoute } from "./rows.ts";

type Input = OperationInput<typeof readRawPageRoute>;

/**
 * GET /p/{slug}/raw: responds with the published page and the default style. All other bytes are as published, except
 * for file keys in a restricted page. A download is byte for byte as published. `?drawn=` responds with a picture of
 * the page.
 */
export const readRawPage = pageOperation(readRawPageRoute, async (input) => {
  const { request, host, path, query, site, nowMs } = input;
  const found = await findVersionForReader({ request, host, slug: path.slug, pinned: query.v, nowMs });
  const isPinned = query.v !== undefined;
  const isDownload = query.download === "1";
  // Programs get the neutral preview picture of a locked drop, on every host.
  if (query.drawn !== undefined && !(found.kind === "base-host" && isWindow(request)))
    return renderedPicture(query.drawn, found, { isPinned, nowMs });
  if (found.kind === "base-host") return redirectToBaseHost(input);
  if (found.kind === "gate" && isDownload) return gateOfDownload(request, path.slug, query.v);
  if (found.kind === "gate") {
    if (fetchDestination(request) === "frame") return reloadPage();
    const address = { slug: path.slug, to: destinationOf(request) };
    return gatePage(address, { status: 200, cardUrl: gateCardUrl(site, path.slug) });
  }
  const { drop, session } = found;
  const isOpen = !isGuarded(drop);
  const folder = found.folder !== undefined && !isDownload ? folderUrls(input, found) : undefined;
  if (folder?.own !== undefined && isOpen) return redirect(folder.own);
  // Unrestricted pages never open in a window on the base host, where people sign in.
  if (isOpen && host.kind === "base" && isWindowOnBaseHost(request) && !isDownload)
    return redirect(
      rawUrl(site, drop.namespace, path.slug) + joinQuery(query.v === undefined ? undefined : `v=${query.v}`),
    );
  if (folder !== undefined) return redirect(folder.plain);
  if (found.folder !== undefined) {
    const [address] = await Promise.all([archiveAddress(found, input), recordRead(found, input)]);
    return redirect(address);
  }
  const [stored] = await Promise.all([pages.getChunks(found.pageKey), recordRead(found, input)]);
  if (stored === undefined) throw new ApiError("not_found");
  if (isDownload) {
    return downloadedPage(Buffer.concat(stored.chunks), {
      drop,
      filename: downloadName(found),
      isGuarded: !isOpen,
      nowMs,
    });
  }
  const isFramed = query.framed === "1";
  const answering = findAnswering(stored.chunks, { drop, version: found.version, site });
  const script = (isFramed ? frameScript : "") + answering.script;
  const styled = answering.direct(addDefaultStyle(stored.chunks, stored.styleOffset, script));
  const reading = { site, session: isOpenToAll(drop) ? undefined : session, nowMs };
  const bytes = isOpen ? styled : await withFileAddresses(styled, drop, reading);
  return rawPage(bytes, {
    drop,
    hasOwnOrigin: hasOwnOrigin(host),
    isPinned,
    isGuarded: !isOpen,
    isFramed,
    formUrl: formUrlOf(drop, site),
    nowMs,
  });
});

/**
 * Returns the URLs of a folder's entry page, with the page's query parameters: on the folder's own host, if it has one,
 * and on the requested host.
 */
function folderUrls({ request, host, path, query, site }: Input, found: FoundVersion) {
  const isFramed = query.framed === "1";
  const version = isFramed ? found.version : query.v;
  const pageQuery = joinQuery(pageQueryOf(sentQueryOf(request)));
  const own = folderHostUrl(site, found.drop, found, { version, isFramed });
  const plain = requestedPath(host, folderPath(path.slug, { version, isFramed }));
  return { own: own && own + pageQuery, plain: plain + pageQuery };
}

/**
 * Returns a signed URL of the folder's archive, which expires after a few seconds. Creates the archive if it is missing.
 *
 * @throws ApiError `not_found` if the version was deleted in the meantime
 */
async function archiveAddress(found: FoundVersion, { site, nowMs }: Input): Promise<string> {
  const { drop, pageKey } = found;
  const archive = {
    bucket: environmentNames.pagesBucket,
    objectKey: await storeArchive(pageKey),
    contentDisposition: attachment(downloadName(found, "zip")),
    contentType: "application/zip",
    checkedPath: `/p/${drop.slug}/raw`,
  };
  return objectAddress(site, archive, drop, nowMs);
}

import { publicDrops } from "../drops/public-drops.ts";
import { accepted, jsonHeaders } from "../http/response.ts";
import { mediaTypes } from "../http/route.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { attachment, downloadName } from "../viewer/page-download.ts";
import { findPdf } from "./pdf.ts";
import { presentRender, retryAfterOf } from "./presenter.ts";
import { getPdfRoute } from "./rows.ts";

/** GET /api/drops/{slug}/pdf: returns a page as a PDF to its owner. Requests a missing PDF, and responds 202 until it is ready. */
export const getPdf = tokenOperation(getPdfRoute, async ({ caller, path, query, nowMs }) => {
  const asked = { ownerId: caller.userId, slug: path.slug, version: query.v };
  const { drop, found } = await publicDrops.requireVersion(asked, nowMs);
  const pdf = await findPdf(drop, found, nowMs);
  if (pdf.state === "asked") return accepted(await presentRender(pdf, nowMs), retryAfterOf(pdf));
  const headers = {
    ...jsonHeaders,
    "content-type": mediaTypes.pdf,
    "content-security-policy": `${jsonHeaders["content-security-policy"]}; sandbox`,
    "content-disposition": attachment(downloadName({ drop, version: found.version }, "pdf")),
  };
  return { status: 200, headers, body: pdf.bytes };
});

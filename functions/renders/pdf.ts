import { ApiError } from "../core/errors.ts";
import type { Drop, Version } from "../drops/drop.ts";
import { pages } from "../drops/page-objects.ts";
import { failedMessage } from "./presenter.ts";
import { pdfKey } from "./render.ts";
import { judgeRender, type RenderStatus, requireRendering } from "./render-status.ts";
import { renders } from "./store.ts";

/** A version's PDF, or the state of its request. */
export type PdfStatus =
  | { readonly state: "rendered"; readonly bytes: Buffer }
  | Extract<RenderStatus, { readonly state: "asked" }>;

/**
 * Finds the PDF of a version. Requests a missing PDF, at most as often as `renders.request` allows, and once an hour after a failure. The
 * caller must check that the reader may see the drop.
 *
 * @throws ApiError `not_found` if rendering is off or the PDF failed
 */
export async function findPdf(
  drop: Drop,
  { version, pageKey }: Pick<Version, "version" | "pageKey">,
  nowMs: number,
): Promise<PdfStatus> {
  requireRendering();
  const { slug } = drop;
  const found = await renders.find(slug, version, "pdf");
  // After a restore, a version number may refer to another page than before. A PDF of the previous page must not be returned.
  const render = found?.pageKey === pageKey ? found : undefined;
  const judged = render && judgeRender(render, drop, nowMs);
  if (judged?.state === "asked") return { state: "asked", slug, version, isNew: false };
  if (judged?.state === "failed")
    throw new ApiError("not_found", {
      message: `There is no PDF. ${failedMessage(render?.why ?? "stopped")} Print the page in a browser instead.`,
      details: { reason: render?.why, ask_again_at: judged.askAgainAtMs },
    });
  if (judged?.state === "rendered" && render?.folder !== undefined) {
    const bytes = await pages.getBytes(pdfKey(render.folder));
    if (bytes !== undefined) return { state: "rendered", bytes };
  }
  const isNew = await renders.request({ slug, version, pageKey }, nowMs, "pdf");
  return { state: "asked", slug, version, isNew };
}

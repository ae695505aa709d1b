import { showReferenceRoute } from "../../contract/discovery-routes.ts";
import { readDocument } from "../../http/document-answer.ts";
import { page } from "../../http/page-answer.ts";
import { pageOperation } from "../../http/page-operation.ts";
import { renderReferencePage } from "../../views/reference-page.tsx";

/** GET /docs: the interface for people, drawn from /openapi.json by Swagger UI. */
export const showReference = pageOperation(showReferenceRoute, async ({ site }) => {
  const assets = JSON.parse(await readDocument("reference-assets.json", site)) as ReferenceAssets;
  return page("reference", (nonce) => renderReferencePage({ ...assets, nonce }));
});

/** Where script and style are: `lib/reference-files.ts` gives them names that change with what they hold. */
interface ReferenceAssets {
  readonly scriptUrl: string;
  readonly styleUrl: string;
}

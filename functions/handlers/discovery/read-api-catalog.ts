import { readApiCatalogRoute } from "../../contract/discovery-routes.ts";
import { document, readDocument } from "../../http/document-answer.ts";
import { documentOperation } from "../../http/document-operation.ts";

/** GET /.well-known/api-catalog: where the API and its descriptions are; HEAD tells by its Link (RFC 9727, section 2). */
export const readApiCatalog = documentOperation(readApiCatalogRoute, async ({ site }) =>
  document("linkset", await readDocument("api-catalog.json", site), {
    link: `<${readApiCatalogRoute.path}>; rel="api-catalog"`,
  }),
);

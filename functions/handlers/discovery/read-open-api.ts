import { readOpenApiRoute } from "../../contract/discovery-routes.ts";
import { document, readDocument } from "../../http/document-answer.ts";
import { documentOperation } from "../../http/document-operation.ts";

/** GET /openapi.json: the whole interface, for programs. */
export const readOpenApi = documentOperation(readOpenApiRoute, async ({ site }) =>
  document("json", await readDocument("openapi.json", site)),
);

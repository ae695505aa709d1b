import { readLlmsTxtRoute } from "../../contract/discovery-routes.ts";
import { document, readDocument } from "../../http/document-answer.ts";
import { documentOperation } from "../../http/document-operation.ts";

/** GET /llms.txt: the guide for agents. */
export const readLlmsTxt = documentOperation(readLlmsTxtRoute, async ({ site }) =>
  document("text", await readDocument("llms.txt", site)),
);

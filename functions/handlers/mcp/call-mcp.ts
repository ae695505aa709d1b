import { callMcpRoute } from "../../contract/mcp-routes.ts";
import { readDocument } from "../../http/document-answer.ts";
import { defineOperation } from "../../http/operation.ts";
import { identifyMcpCaller } from "../../mcp/caller.ts";
import type { McpDocument } from "../../mcp/document.ts";
import { presentMcpRefusal } from "../../mcp/method-refusal.ts";
import { answerMessage } from "../../mcp/server.ts";

/** POST /mcp: one message of the Model Context Protocol. */
export const callMcp = defineOperation(callMcpRoute, {
  identify: identifyMcpCaller,
  presentError: presentMcpRefusal,
  run: async ({ body, request, site }) => {
    const document = JSON.parse(await readDocument("mcp.json", site)) as McpDocument;
    return answerMessage(body, request, document);
  },
});

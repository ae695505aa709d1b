import * as accessRequests from "../access-requests/mcp-tools.ts";
import * as account from "../account/mcp-tools.ts";
import * as answers from "../answers/mcp-tools.ts";
import * as blobs from "../blobs/mcp-tools.ts";
import type { ArgumentMeanings, McpTool } from "../core/mcp-tool.ts";
import * as drops from "../drops/mcp-tools.ts";
import * as feedback from "../feedback/mcp-tools.ts";
import * as identity from "../identity/mcp-tools.ts";
import * as library from "../library/mcp-tools.ts";
import * as renders from "../renders/mcp-tools.ts";
import * as search from "../search/mcp-tools.ts";

/** All tools, in the order of the tool list. */
export const mcpTools = [
  ...drops.tools,
  ...renders.tools,
  ...search.tools,
  ...library.tools,
  ...feedback.tools,
  ...answers.tools,
  ...accessRequests.tools,
  ...blobs.tools,
  ...account.tools,
  ...identity.tools,
] as const satisfies readonly McpTool[];

/** Tools that only the page embedded in the chat may call (MCP Apps extension). */
export const appTools = [
  ...drops.appTools,
  ...feedback.appTools,
  ...answers.appTools,
  ...renders.appTools,
] as const satisfies readonly McpTool[];

/** Descriptions of the tools' arguments, by name. A name has the same meaning in every tool. */
export const argumentMeanings: ArgumentMeanings = {
  ...drops.argumentMeanings,
  ...search.argumentMeanings,
  ...library.argumentMeanings,
  ...feedback.argumentMeanings,
  ...answers.argumentMeanings,
  ...blobs.argumentMeanings,
  ...identity.argumentMeanings,
};

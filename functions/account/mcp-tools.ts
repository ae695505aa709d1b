import type { McpTool } from "../http/mcp-tool.ts";

/** Tools of this feature, in the order that agents see. */
export const tools = [
  {
    name: "get_usage",
    operation: "get-usage",
    description: "Get what the account uses of its limits.",
    isReadOnly: true,
  },
  {
    name: "whoami",
    operation: "get-me",
    description: "Get the account, and the token of this call.",
    isReadOnly: true,
  },
] as const satisfies readonly McpTool[];

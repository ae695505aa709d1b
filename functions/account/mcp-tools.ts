import type { McpTool } from "../core/mcp-tool.ts";

/** MCP tools for accounts, in the order of the tool list. */
export const tools = [
  {
    name: "get_usage",
    title: "Show usage",
    operation: "get-usage",
    description: "Get usage and limits.",
  },
  {
    name: "whoami",
    title: "Show account",
    operation: "get-me",
    description: "Get account and token.",
  },
] as const satisfies readonly McpTool[];

import type { McpTool } from "../http/mcp-tool.ts";

/** Tools of this feature, in the order that agents see. */
export const tools = [
  {
    name: "get_usage",
    title: "Show usage",
    operation: "get-usage",
    description: "Get what the account uses of its limits.",
    isReadOnly: true,
  },
  {
    name: "whoami",
    title: "Show the account",
    operation: "get-me",
    description: "Get the account and the token of this call.",
    isReadOnly: true,
  },
] as const satisfies readonly McpTool[];

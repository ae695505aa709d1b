import type { ArgumentMeanings, McpTool } from "../http/mcp-tool.ts";

/** Descriptions of these tools' arguments. */
export const argumentMeanings: ArgumentMeanings = {
  cursor: "`next_cursor`",
};

/** Library tools, in the order that agents see. */
export const tools = [
  {
    name: "list_library",
    title: "List library",
    operation: "list-library",
    description: "List others' pages, newest first.",
    unlistedArguments: ["metadata", "owner", "pageSize", "q"],
    isOpenWorld: true,
  },
] as const satisfies readonly McpTool[];

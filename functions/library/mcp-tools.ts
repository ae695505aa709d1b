import type { ArgumentMeanings, McpTool } from "../core/mcp-tool.ts";

/** Descriptions of the library tools' arguments. */
export const argumentMeanings: ArgumentMeanings = {
  cursor: "`next_cursor`",
};

/** Library tools, in the order in which clients list them. */
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

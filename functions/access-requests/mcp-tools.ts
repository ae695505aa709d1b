import type { McpTool } from "../core/mcp-tool.ts";

/** Tools for access requests. */
export const tools = [
  {
    name: "list_access_requests",
    title: "List requests",
    operation: "list-access-requests",
    description: "List who asks for access; edit_drop gives it.",
    unlistedArguments: ["cursor", "pageSize"],
    isOpenWorld: true,
  },
] as const satisfies readonly McpTool[];

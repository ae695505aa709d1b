import type { ArgumentMeanings, McpTool } from "../core/mcp-tool.ts";

/** Descriptions of the tools' arguments. */
export const argumentMeanings: ArgumentMeanings = {
  owner: "Owner",
  q: 'Words, "a phrase", -without, begin*',
};

/** Tools for agents, in the order in which they are listed. */
export const tools = [
  {
    name: "search_drops",
    title: "Search pages",
    operation: "search-drops",
    description: "Search all pages that the human may read.",
    meanings: { metadata: "Tags to match", since: "Changed since, Unix ms" },
    unlistedArguments: ["page", "pageSize"],
    core: { arguments: ["q", "metadata", "since"] },
    isOpenWorld: true,
  },
] as const satisfies readonly McpTool[];

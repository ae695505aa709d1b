import type { ArgumentMeanings, McpTool } from "../http/mcp-tool.ts";

/** Meanings of the arguments of these tools. */
export const argumentMeanings: ArgumentMeanings = {
  cursor: "`next_cursor`.",
  owner: "An owner's name.",
  q: "Words to find.",
};

/** Tools of this feature, in the order that agents see. */
export const tools = [
  {
    name: "list_library",
    title: "List pages of others",
    operation: "list-library",
    description: "List pages of others that the human may read. `own` marks theirs.",
    meanings: { metadata: "Tags to match." },
    isReadOnly: true,
    isOpenWorld: true,
  },
] as const satisfies readonly McpTool[];

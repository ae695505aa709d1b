import type { ArgumentMeanings, McpTool } from "../http/mcp-tool.ts";

/** Meanings of the arguments of these tools; undefined where name, type and choices say it. */
export const argumentMeanings: ArgumentMeanings = {
  cursor: "`next_cursor` of the response before.",
  owner: "An owner's name, as in their address.",
  q: "Words in titles and descriptions.",
};

/** Tools of this feature, in the order that agents see. */
export const tools = [
  {
    name: "list_library",
    operation: "list-library",
    description: "List pages of others that the human may read: give them the `url`. `own` marks theirs.",
    meanings: { metadata: "", pageSize: "" },
    isReadOnly: true,
  },
] as const satisfies readonly McpTool[];

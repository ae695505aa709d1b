import type { McpTool } from "../http/mcp-tool.ts";
import { seeDropQuery } from "./schemas.ts";

/** Tools of this feature, in the order of the agents' list. */
export const tools = [
  {
    name: "see_drop",
    title: "See page",
    operation: "get-render",
    query: seeDropQuery,
    description: "Get a page's pictures and problems. Call it before you hand out `url`.",
    meanings: {
      version: "Default: latest",
      views: "phone-light, desktop-light (default), phone-dark, desktop-dark",
    },
    core: { arguments: ["slug", "version", "views"] },
    output: { version: "integer", state: "string", findings: "array" },
    isReadOnly: true,
  },
] as const satisfies readonly McpTool[];

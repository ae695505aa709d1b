import type { McpTool } from "../core/mcp-tool.ts";
import { pageVersionQuery } from "../drops/queries.ts";
import { seeDropQuery } from "./schemas.ts";

/** Tools for agents, in the order in which they are listed. */
export const tools = [
  {
    name: "see_drop",
    title: "See page",
    operation: "get-render",
    app: "shows-page",
    query: seeDropQuery,
    description: "Get a page's pictures and problems before you hand out `url`.",
    meanings: {
      version: "Default: latest",
      views: "phone-light, desktop-light (default), phone-dark, desktop-dark",
    },
    core: { arguments: ["slug", "version", "views"] },
    output: { version: "integer", state: "string", findings: "array" },
  },
] as const satisfies readonly McpTool[];

/** Tools that the page embedded in the chat calls. */
export const appTools = [
  {
    name: "page_picture",
    title: "Page picture",
    operation: "get-render",
    query: pageVersionQuery,
    description: "Get the shown page's card.",
    app: { arguments: ["slug", "version"] },
  },
] as const satisfies readonly McpTool[];

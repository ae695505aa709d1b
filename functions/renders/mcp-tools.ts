import type { McpTool } from "../http/mcp-tool.ts";
import { seeDropQuery } from "./schemas.ts";

/** Tools of this feature, in the order that agents see. */
export const tools = [
  {
    name: "see_drop",
    operation: "get-render",
    query: seeDropQuery,
    description:
      "See a page as its readers do, with its problems. Call it before you hand out `url`, and fix the problems.",
    meanings: {
      views: "phone-light, desktop-light (both where absent), phone-dark, desktop-dark.",
    },
    isReadOnly: true,
  },
] as const satisfies readonly McpTool[];

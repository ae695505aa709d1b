import type { McpTool } from "../http/mcp-tool.ts";
import { seeDropQuery } from "./schemas.ts";

/** Tools of this feature, in the order that agents see. */
export const tools = [
  {
    name: "see_drop",
    operation: "get-render",
    query: seeDropQuery,
    description:
      "See a page as its readers do, with what is wrong with it. Do so before you hand out its `url`, and mend what is found.",
    meanings: {
      views: "phone-light, desktop-light (both where absent), phone-dark, desktop-dark.",
    },
    isReadOnly: true,
  },
] as const satisfies readonly McpTool[];

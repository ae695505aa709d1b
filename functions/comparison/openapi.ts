import type { DescribedParameters } from "../core/openapi.ts";

/** Descriptions of query parameters, by name, or by operation and name if the meaning depends on the operation. */
export const queryParameters: DescribedParameters = {
  "show-comparison from": {
    description: "The version to compare with. Default: the version before `to`.",
    example: 1,
  },
  "show-comparison to": { description: "The version to compare. Default: the latest.", example: 2 },
  view: {
    description:
      "`pages` compares the pages side by side, `text` compares their source text. Default: `pages`.",
    example: "text",
  },
};

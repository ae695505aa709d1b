import type { DescribedParameters } from "../http/openapi.ts";

/** Query parameters, by name, or by operation and name where two operations differ. */
export const queryParameters: DescribedParameters = {
  "show-comparison from": {
    description: "The version to compare with. Without it, the one before `to`.",
    example: 1,
  },
  "show-comparison to": { description: "The version that is compared. Without it, the latest.", example: 2 },
  view: { description: "How to compare: the pages side by side, or their source text.", example: "text" },
};

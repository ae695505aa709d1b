import * as z from "zod/mini";
import { choice, pinnedVersion } from "../http/query.ts";
import { schema } from "../http/schemas.ts";

/** `?from=&to=&view=` of a comparison. */
export const comparisonQuery = /* @__PURE__ */ schema(() =>
  z.object({
    from: pinnedVersion,
    to: pinnedVersion,
    view: z._default(z.catch(choice(["text", "pages"]), "text"), "text"),
  }),
);

import * as z from "zod/mini";
import { schema, versionNumber } from "../platform/schemas.ts";

/** `DropState` on the wire. */
export const dropStateResponse = /* @__PURE__ */ schema(() =>
  z.object({
    state: z.enum(["open", "locked", "gone"]),
    latest_version: z.optional(versionNumber),
  }),
);

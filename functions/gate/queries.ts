import * as z from "zod/mini";
import { freeText } from "../http/query.ts";
import { schema } from "../http/schemas.ts";

/** `?to=` of the gate's forms: the address of the same drop to lead back to; its viewer without one. */
export const gateQuery = /* @__PURE__ */ schema(() =>
  z.object({ to: z.catch(z._default(freeText(), ""), "") }),
);

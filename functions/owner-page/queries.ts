import * as z from "zod/mini";
import { integer } from "../http/query.ts";
import { schema } from "../http/schemas.ts";

/** `?page=N` of an owner's page. Invalid numbers become 0, so that people see the 404 page. */
export const ownerPageQuery = /* @__PURE__ */ schema(() =>
  z.object({ page: z._default(z.catch(integer({ minimum: 1 }), 0), 1) }),
);

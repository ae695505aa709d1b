import * as z from "zod/mini";
import { optionalText, pageSize } from "../http/query.ts";
import { schema, slug, unixMilliseconds } from "../http/schemas.ts";

/** Response of `GET /api/access-requests`: open requests for access to the caller's drops, newest first. */
export const accessRequestListResponse = /* @__PURE__ */ schema(() =>
  z.object({
    untrusted: z.string(),
    requests: z.array(
      z.object({
        slug,
        id: z.string(),
        name: z.string(),
        reader: z.string(),
        text: z.nullable(z.string()),
        requested_at: unixMilliseconds,
      }),
    ),
    next_cursor: z.nullable(z.string()),
  }),
);

export type AccessRequestListResponse = z.output<typeof accessRequestListResponse>;

/** Query of `GET /api/access-requests`. */
export const listAccessRequestsQuery = /* @__PURE__ */ schema(() =>
  z.object({
    cursor: optionalText({
      what: "next_cursor of the previous response,",
      maxLength: 50,
      pattern: "^\\d{14}\\.[A-Za-z0-9]{7}\\.[0-9a-f]{24}$",
    }),
    pageSize,
  }),
);

import * as z from "zod/mini";
import { schema } from "../platform/schemas.ts";
import { type DropListResponse, dropResponse } from "./schemas.ts";

// Everything that the client on npm, `@htmlbin/cli`, needs beyond the specification: docs/adr/0016-the-published-client.md.

/** A page of more drops comes without `data`: twice 200 drops can be more than a Lambda function may answer with. */
export const dropsGivenTwiceMax = 100;

/** What a list carries beside the fields of the section "DropList" of the specification. */
export const htmlbinCliListAdditions = /* @__PURE__ */ schema(() =>
  z.object({
    data: z.optional(z.array(dropResponse)),
    pagination: z.object({
      page: z.int().check(z.minimum(1)),
      page_size: z.int().check(z.minimum(1)),
      total_items: z.int().check(z.minimum(0)),
      total_pages: z.int().check(z.minimum(0)),
    }),
  }),
);

type HtmlbinCliListAdditions = z.output<typeof htmlbinCliListAdditions>;

/** The list as it is specified, and beside it the names by which the published client reads it. */
export function withHtmlbinCliListAdditions(
  list: DropListResponse,
): DropListResponse & HtmlbinCliListAdditions {
  return {
    ...list,
    ...(list.page_size <= dropsGivenTwiceMax ? { data: list.drops } : {}),
    pagination: {
      page: list.page,
      page_size: list.page_size,
      total_items: list.total,
      total_pages: Math.ceil(list.total / list.page_size),
    },
  };
}

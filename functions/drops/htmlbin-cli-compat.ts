import * as z from "zod/mini";
import { type HttpRequest, singleHeader } from "../http/request.ts";
import { schema } from "../http/schemas.ts";
import { type DropListResponse, dropResponse, listAdditions } from "./schemas.ts";

// Additions to the specification that the npm client `@htmlbin/cli` needs; see docs/adr/0016-htmlbin-cli-compatibility.md.

/** Part of the client's User-Agent, such as `@htmlbin/cli/0.6.0 (node …)`. */
const clientName = /htmlbin/i;

/** Maximum number of drops on a page whose response repeats them in `data`. Lambda limits the size of responses. */
export const dropsGivenTwiceMax = 100;

/** Recognizes the htmlbin client. Only this client needs the list of drops under a second field name. */
export function isHtmlbinCli(request: HttpRequest): boolean {
  return clientName.test(singleHeader(request, "user-agent") ?? "");
}

/** Response fields of a list of drops that are not in the specification. */
export const htmlbinCliListAdditions = /* @__PURE__ */ schema(() =>
  z.extend(listAdditions, {
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

/** Extends a list of drops with its filters, and with the field names that the htmlbin client reads. */
export function withHtmlbinCliListAdditions(
  list: DropListResponse,
  { filters, isForCli }: { readonly filters: readonly string[]; readonly isForCli: boolean },
): DropListResponse & HtmlbinCliListAdditions {
  return {
    ...list,
    filters: [...filters],
    ...(isForCli && list.page_size <= dropsGivenTwiceMax ? { data: list.drops } : {}),
    pagination: {
      page: list.page,
      page_size: list.page_size,
      total_items: list.total,
      total_pages: Math.ceil(list.total / list.page_size),
    },
  };
}

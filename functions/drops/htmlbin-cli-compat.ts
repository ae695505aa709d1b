import * as z from "zod/mini";
import { type HttpRequest, singleHeader } from "../http/request.ts";
import { schema } from "../http/schemas.ts";
import { type DropListResponse, dropResponse, listAdditions } from "./schemas.ts";

// Everything that the client on npm, `@htmlbin/cli`, needs beyond the specification: docs/adr/0016-htmlbin-cli-compatibility.md.

/** Name of the client in its User-Agent: `@htmlbin/cli/0.6.0 (node …)`. */
const clientName = /htmlbin/i;

/** A page of more drops comes without `data`: twice 200 drops can be more than a Lambda function may answer with. */
export const dropsGivenTwiceMax = 100;

/** Recognizes the htmlbin client. Only it needs the list's drops under a second name. */
export function isHtmlbinCli(request: HttpRequest): boolean {
  return clientName.test(singleHeader(request, "user-agent") ?? "");
}

/** Fields of a list beyond the section "DropList" of the specification. */
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

/** The list as it is specified, and beside it the filters, and the names by which the published client reads it. */
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

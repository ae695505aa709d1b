import type { MetadataFilters } from "../platform/query.ts";
import { ok } from "../platform/response.ts";
import { tokenOperation } from "../platform/token-operation.ts";
import type { Drop } from "./drop.ts";
import { withHtmlbinCliListAdditions } from "./htmlbin-cli-compat.ts";
import { presentDrop } from "./presenter.ts";
import { listDropsRoute } from "./rows.ts";
import type { DropListResponse } from "./schemas.ts";
import { drops } from "./store.ts";

/** GET /api/drops: the caller's drops that match, one page of them. */
export const listDrops = tokenOperation(listDropsRoute, async ({ caller, query, site }) => {
  const selected = selectDrops(await drops.list(caller.userId), query);
  const list: DropListResponse = {
    drops: selected.drops.map((drop) => presentDrop(site, drop)),
    page: query.page,
    page_size: query.pageSize,
    total: selected.total,
  };
  return ok(withHtmlbinCliListAdditions(list));
});

/** What a caller asks of the list; section "Drops" of the specification. */
interface ListRequest {
  readonly page: number;
  readonly pageSize: number;
  readonly sortBy: "created_at" | "updated_at" | "view_count";
  readonly sortOrder: "asc" | "desc";
  readonly filters: MetadataFilters;
}

/** One page of the drops that match, and how many match in all. */
interface DropPage {
  readonly drops: readonly Drop[];
  readonly total: number;
}

const sortKeys = {
  created_at: (drop: Drop) => drop.createdAtMs,
  updated_at: (drop: Drop) => drop.updatedAtMs,
  view_count: (drop: Drop) => drop.viewCount,
} as const;

/** Filters, sorts and pages an account's drops; a page past the end is empty. */
function selectDrops(drops: readonly Drop[], request: ListRequest): DropPage {
  const matching = drops.filter((drop) => matches(drop, request.filters));
  const key = sortKeys[request.sortBy];
  const direction = request.sortOrder === "asc" ? 1 : -1;
  // The slug breaks ties, so that pages do not overlap where many drops share a value.
  const sorted = matching.toSorted(
    (one, other) => direction * (key(one) - key(other) || (one.slug < other.slug ? -1 : 1)),
  );
  const start = (request.page - 1) * request.pageSize;
  return { drops: sorted.slice(start, start + request.pageSize), total: matching.length };
}

function matches(drop: Drop, filters: MetadataFilters): boolean {
  return filters.every(([key, value]) => drop.metadata.get(key) === value);
}

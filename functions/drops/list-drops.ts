import type { MetadataFilters } from "../http/query.ts";
import { ok } from "../http/response.ts";
import { type TokenOperationInput, tokenOperation } from "../http/token-operation.ts";
import { withWarnings } from "../http/warnings.ts";
import { isHtmlbinCli, withHtmlbinCliListAdditions } from "./htmlbin-cli-compat.ts";
import { type DropRow, metadataOf, toListedDrop } from "./items.ts";
import { presentDrop } from "./presenter.ts";
import { listDropsRoute } from "./rows.ts";
import type { DropListResponse } from "./schemas.ts";
import { drops } from "./store.ts";

/** GET /api/drops: lists one page of the caller's matching drops. */
export const listDrops = tokenOperation(listDropsRoute, async ({ caller, query, site, request, nowMs }) => {
  const selected = selectDrops(await drops.listRows(caller.userId, nowMs), query);
  const list: DropListResponse = {
    drops: selected.rows.map((row) => presentDrop(site, toListedDrop(row))),
    page: query.page,
    page_size: query.pageSize,
    total: selected.total,
  };
  const filters = query.metadata.map(([key, value]) => `metadata.${key}=${value}`);
  const response = ok(withHtmlbinCliListAdditions(list, { filters, isForCli: isHtmlbinCli(request) }));
  return selected.total > 0 ? response : withWarnings(response, filterWarnings(query.metadata));
});

/** Warns about filters with several values for one tag. Such filters match nothing, because a tag has only one value. */
function filterWarnings(filters: MetadataFilters): readonly string[] {
  const names = filters.map(([key]) => key);
  const several = filters.find(([key, value], at) => value.includes(",") || names.indexOf(key) !== at);
  if (several === undefined) return [];
  return [
    `No drop matches. A drop must match every filter, and a value must match the whole tag. For several values of metadata.${several[0]}, make one call for each value.`,
  ];
}

const sortKeys = {
  created_at: ({ drop }: DropRow) => Number(drop.createdAtMs?.N),
  updated_at: ({ drop }: DropRow) => Number(drop.updatedAtMs?.N),
  view_count: ({ views }: DropRow) => Number(views?.viewCount?.N ?? 0),
} as const;

/**
 * Filters and sorts an account's drops and selects one page, which may be empty. Only this page is converted; see
 * docs/adr/0037-dynamodb-reads.md.
 */
function selectDrops(
  rows: readonly DropRow[],
  request: TokenOperationInput<typeof listDropsRoute>["query"],
): { readonly rows: readonly DropRow[]; readonly total: number } {
  const matching = rows.filter((row) => matches(row, request.metadata));
  const keyOf = sortKeys[request.sortBy];
  const direction = request.sortOrder === "asc" ? 1 : -1;
  // Drops with equal values stay sorted by slug, so pages do not overlap even if many drops have the same value.
  const sorted = matching
    .map((row, index) => ({ row, key: keyOf(row), index }))
    .sort((one, other) => direction * (one.key - other.key || one.index - other.index));
  const start = (request.page - 1) * request.pageSize;
  return {
    rows: sorted.slice(start, start + request.pageSize).map(({ row }) => row),
    total: matching.length,
  };
}

function matches(row: DropRow, filters: MetadataFilters): boolean {
  if (filters.length === 0) return true;
  const metadata = metadataOf(row);
  return filters.every(([key, value]) => metadata.get(key) === value);
}

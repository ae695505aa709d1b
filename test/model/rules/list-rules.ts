import { expect } from "vitest";
import { limits } from "../../../functions/core/limits.ts";
import type { DropListResponse, DropResponse } from "../../../functions/drops/schemas.ts";
import { isExact } from "../range.ts";
import { type DropState, findDrop, taggedDrops, withDrop } from "../state.ts";
import { learn, presented } from "./drop-rules.ts";
import { expectJson, type Rule } from "./rule.ts";

/** GET /api/drops */
export const listDrops: Rule = (state, observation) => {
  const query = new Map<string, string>(
    (observation.call.query as readonly (readonly [string, string])[] | undefined) ?? [],
  );
  const page = Number(query.get("page") ?? 1);
  const pageSize = Number(query.get("pageSize") ?? limits.pageSizeDefault);
  const matching = taggedDrops(state, observation.call.query);
  const answered = (JSON.parse(observation.response.text) as Partial<DropListResponse>).drops ?? [];
  const found = answered.map(({ slug }) => matching.find((drop) => drop.slug === slug));
  const expected = found.map((drop) => (drop ? presented(state, drop) : "no such drop"));
  expectJson(
    observation,
    expect.objectContaining({ drops: expected, page, page_size: pageSize, total: matching.length }),
  );
  const sortBy = (query.get("sortBy") ?? "created_at") as SortKey;
  const isRising = query.get("sortOrder") === "asc";
  expect(answered).toEqual(inOrder(answered, sortBy, isRising));
  expect(new Set(found).size).toBe(Math.max(0, Math.min(pageSize, matching.length - (page - 1) * pageSize)));
  const learnt = answered.reduce(
    (after, one) => withDrop(after, learn(findDrop(after, one.slug), one)),
    state,
  );
  const all = taggedDrops(learnt, observation.call.query);
  if (all.every((drop) => isExact(drop.updatedAtMs) && isExact(drop.views))) {
    const wanted = inOrder(all.map(sortable), sortBy, isRising).map(({ slug }) => slug);
    expect(answered.map(({ slug }) => slug)).toEqual(wanted.slice((page - 1) * pageSize, page * pageSize));
  }
  return learnt;
};

type SortKey = "created_at" | "updated_at" | "view_count";
type Sortable = Pick<DropResponse, "slug" | SortKey>;

/** Sorts by the key, then by the slug. */
function inOrder<One extends Sortable>(drops: readonly One[], key: SortKey, isRising: boolean): One[] {
  const rising = drops.toSorted((one, other) => one[key] - other[key] || (one.slug < other.slug ? -1 : 1));
  return isRising ? rising : rising.reverse();
}

function sortable({ slug, createdAtMs, updatedAtMs, views }: DropState): Sortable {
  return { slug, created_at: createdAtMs, updated_at: updatedAtMs.from, view_count: views.from };
}

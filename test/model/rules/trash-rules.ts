import { expect } from "vitest";
import type { DropResponse, TrashListResponse } from "../../../functions/drops/schemas.ts";
import { expectError } from "../../support/expect-error.ts";
import type { Observation } from "../call.ts";
import { Between } from "../range.ts";
import { type AccountState, type DropState, findDrop, type TrashedState, withDrop } from "../state.ts";
import { broughtBack, byPublication, learn, presented } from "./drop-rules.ts";
import { outdated, told } from "./entity-tags.ts";
import { isHeld, refuseHeld } from "./hold-rule.ts";
import { during, expectJson, expectNoContent, type Rule } from "./rule.ts";

const keptMs = 7 * 86_400_000;

/** Returns the bytes of all versions of a drop. */
export function pageBytesOf({ versions }: DropState): number {
  return versions.reduce((sum, { html }) => sum + Buffer.byteLength(html), 0);
}

/** GET /api/trash: the last deleted first, and those of the same time in any order. */
export const listTrash: Rule = (state, observation) => {
  const { drops, ...paging } = JSON.parse(observation.response.text) as TrashListResponse;
  const expected = state.trash.map((trashed) => presentedInTrash(trashed));
  expectJson(observation, {
    ...{ drops: expect.arrayContaining(expected), page: 1, page_size: 200, total: state.trash.length },
  });
  expect([paging.total, drops.length]).toEqual([state.trash.length, state.trash.length]);
  const times = drops.map(({ deleted_at }) => deleted_at);
  expect(times).toEqual(times.toSorted((one, other) => other - one));
  const due = state.trash.flatMap(({ isDue, drop }) => (isDue ? drop.slug : []));
  for (const { slug, deleted_at, purged_at } of drops)
    if (!due.includes(slug)) expect(purged_at - deleted_at).toBe(keptMs);
  return state;
};

function presentedInTrash({ drop, reason, deletedAtMs }: TrashedState): object {
  return {
    slug: drop.slug,
    title: drop.title,
    reason,
    deleted_at: new Between(deletedAtMs),
    purged_at: expect.any(Number),
    bytes: pageBytesOf(drop),
  };
}

/** POST /api/drops/{slug}/undelete: the drop is unchanged except for its entity tag. A drop that is not in the trash stays unchanged. */
export const undeleteDrop: Rule = (state, observation) => {
  const slug = String(observation.call.params?.slug);
  const trashed = state.trash.find(({ drop }) => drop.slug === slug);
  const expired = state.expired.find((drop) => drop.slug === slug);
  const live = findDrop(state, slug);
  if (trashed !== undefined) {
    const { drop, reason } = trashed;
    const back = {
      ...(reason === "expired" ? withoutExpiry(drop) : drop),
      tags: outdated(drop),
    };
    const drops = [...state.drops, back].toSorted(byPublication);
    return withShown({ ...withoutTrashed(state, slug), drops }, back, observation);
  }
  if (expired !== undefined) {
    const back = {
      ...withoutExpiry(expired),
      updatedAtMs: during(observation),
      tags: outdated(expired),
    };
    return withShown(withDrop(broughtBack(state, expired), back), back, observation);
  }
  if (live !== undefined) return withShown(state, live, observation);
  expectError(observation.response, "not_found");
  return state;
};

/** DELETE /api/trash/{slug} */
export const purgeDrop: Rule = (state, observation) => {
  const slug = String(observation.call.params?.slug);
  if (!state.trash.some(({ drop }) => drop.slug === slug)) {
    expectError(observation.response, "not_found");
    return state;
  }
  if (isHeld(state, slug)) return refuseHeld(state, observation);
  expectNoContent(observation);
  const { deletedSlugs } = state;
  return { ...withoutTrashed(state, slug), deletedSlugs };
};

/** Removes the expiry of a drop that is brought back after it. */
function withoutExpiry(drop: DropState): DropState {
  return { ...drop, expiresAtMs: undefined };
}

function withShown(state: AccountState, drop: DropState, observation: Observation): AccountState {
  const shown = expectJson<DropResponse>(observation, presented(state, drop));
  return withDrop(state, told(learn(drop, shown), observation));
}

function withoutTrashed(state: AccountState, slug: string): AccountState {
  return {
    ...state,
    trash: state.trash.filter(({ drop }) => drop.slug !== slug),
    deletedSlugs: state.deletedSlugs.filter((one) => one !== slug),
  };
}

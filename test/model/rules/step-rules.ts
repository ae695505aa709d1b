import { expect } from "vitest";
import type { Observation } from "../call.ts";
import { type AccountState, type DropState, findDrop, withDrop, withLeftovers } from "../state.ts";
import { forgetSoon } from "./drop-rules.ts";
import { isHeld } from "./hold-rule.ts";
import { during, type Rule } from "./rule.ts";

const forgottenMs = 5_000;

/** A drop expires, is moved to the trash, and is purged if it is not on hold. */
export const passTime: Rule = (state, observation) => {
  const { slug } = paramsOf(observation);
  const live = findDrop(state, slug);
  const expired = state.expired.find((drop) => drop.slug === slug);
  if (live !== undefined) {
    expectOutcome(observation, "expired");
    const drops = state.drops.filter((drop) => drop !== live);
    const deletedSlugs = [...state.deletedSlugs, slug];
    return forgetSoon(
      { ...state, drops, deletedSlugs, expired: [...state.expired, live] },
      live,
      observation,
    );
  }
  if (expired !== undefined) {
    expectOutcome(observation, "trashed");
    const trashed = { drop: expired, reason: "expired", deletedAtMs: during(observation) } as const;
    return {
      ...state,
      expired: state.expired.filter((drop) => drop !== expired),
      trash: [...state.trash, trashed],
    };
  }
  const isKept = isHeld(state, slug);
  expectOutcome(observation, isKept ? "postponed" : "purged");
  const due = state.trash.map((one) => (one.drop.slug === slug ? { ...one, isDue: true } : one));
  return { ...state, trash: isKept ? due : due.filter(({ drop }) => drop.slug !== slug) };
};

/** All versions except the newest ones are deleted, and nothing else changes. */
export const keepVersions: Rule = (state, observation) => {
  const { slug, keep } = paramsOf(observation);
  const expired = state.expired.find((one) => one.slug === slug);
  const drop = findDrop(state, slug) ?? expired;
  const surplus = drop === undefined || isHeld(state, slug) ? [] : drop.versions.slice(0, -keep);
  expectOutcome(
    observation,
    surplus.map(({ version }) => version),
  );
  if (drop === undefined || surplus.length === 0) return state;
  const kept: DropState = { ...drop, versions: drop.versions.slice(-keep) };
  const after: AccountState = {
    ...withDrop(state, kept),
    expired: state.expired.map((one) => (one === expired ? kept : one)),
  };
  const texts = surplus.map(({ html }) => html);
  return withLeftovers(after, slug, texts, observation.answeredAtMs + forgottenMs);
};

/** An operator sets or ends a hold on the account or a drop. The response says if anything changed. */
export const setHold: Rule = (state, observation) => {
  const { slug, isWanted } = paramsOf(observation);
  const isOn = state.holds.includes(slug);
  expectOutcome(observation, isOn !== (isWanted === 1));
  const others = state.holds.filter((one) => one !== slug);
  return { ...state, holds: isWanted === 1 ? [...others, slug] : others };
};

function expectOutcome({ response }: Observation, expected: unknown): void {
  expect(JSON.parse(response.text)).toEqual(expected);
}

function paramsOf({ call }: Observation) {
  return call.params as { readonly slug: string; readonly keep: number; readonly isWanted: number };
}

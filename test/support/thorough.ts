/**
 * Whether tests try all that they know. `npm test` has a choice of it, which finds most of what breaks; the rest is for the
 * long form, `npm run test:slow`: `vitest.config.ts` finds there whoever imports this, also through others.
 */
export const isThorough = ["all", "long", "parts"].includes(process.env.TESTS ?? "");

/** Whether what the two forms divide between them is in one run. */
const hasBothForms = ["all", "parts"].includes(process.env.TESTS ?? "");

/** Whether a run has what the long form would only repeat. */
export const hasShortForm = !isThorough || hasBothForms;

/** Whether nothing at all is left out, however long that takes. */
export const isWhole = process.env.TESTS === "all";

/** All of them in a thorough run, and otherwise those that are of the choice. */
export function chosen<One>(all: readonly One[], isOfChoice: (one: One) => boolean): readonly One[] {
  return isThorough ? all : all.filter(isOfChoice);
}

/**
 * Divides tests that say nothing of each other between the two forms: those of the choice for `npm test`, the others for the long form. All
 * of them in a run that has both.
 */
export function divided<One>(all: readonly One[], isOfChoice: (one: One) => boolean): readonly One[] {
  return hasBothForms ? all : all.filter((one) => isOfChoice(one) !== isThorough);
}

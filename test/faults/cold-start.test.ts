// @module-tag slow

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { routeOf } from "../../functions/routes.ts";
import { runWithFault, runWithoutFault } from "./fault-case.ts";
import { startFaultyService } from "./faulty-service.ts";
import { namedRecipes } from "./operation-recipes.ts";
import { faultPlans } from "./plan-faults.ts";
import type { Recipe } from "./recipe.ts";

const recipesWithSecrets = namedRecipes.filter(([, id]) => routeOf(id).grants.secrets !== undefined);

/** Recognizes the first operation of each method and secrets, because the others read them in the same way. */
function isFirstOfItsKind(one: (typeof recipesWithSecrets)[number]): boolean {
  const like = ([, id]: (typeof recipesWithSecrets)[number]) =>
    `${routeOf(id).method} ${routeOf(id).grants.secrets}`;
  return recipesWithSecrets.find((other) => like(other) === like(one)) === one;
}

let stop: () => Promise<void>;

beforeAll(async () => {
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  stop = await startFaultyService();
});
afterAll(async () => {
  vi.restoreAllMocks();
  await stop();
});

describe("a failed first read of a secret does not prevent another attempt from succeeding", () => {
  for (const { plan, hasVariants, options } of faultPlans)
    test.for(recipesWithSecrets.filter((one) => hasVariants || isFirstOfItsKind(one)))(
      hasVariants ? "%s, with all faults" : "%s, with some faults",
      options,
      async ([, id, recipe]) => {
        const reference = await runWithoutFault(id, cold(recipe));
        const readings = reference.calls.filter(isReading);

        for (const planned of plan(readings)) await runWithFault(id, cold(recipe), planned, reference);
      },
    );

  test("the secret is read in each cold start, so that the fault happens", async () => {
    const [[, id, recipe] = []] = recipesWithSecrets;
    if (id === undefined || recipe === undefined) throw new Error("No row grants a secret.");

    const { calls } = await runWithoutFault(id, cold(recipe));

    expect(calls.filter(isReading)).not.toEqual([]);
  });
});

/** Recognizes reads of cookie keys in the table and of the registration at the identity provider. */
function isReading({ command, kind }: { readonly command: string; readonly kind: string }): boolean {
  return command === "GetParameter" || kind === "GetItem KEY/KEY";
}

/** Runs a recipe as in a cold start: with new modules, and without their cached state. */
function cold(recipe: Recipe): Recipe {
  return {
    ...recipe,
    prepare: async (world) => {
      const prepared = await recipe.prepare(world);
      vi.resetModules();
      return prepared;
    },
  };
}

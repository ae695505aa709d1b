// @module-tag slow

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { routeOf } from "../../functions/routes.ts";
import { runWithFault, runWithoutFault } from "./fault-case.ts";
import { startFaultyService } from "./faulty-service.ts";
import { namedRecipes } from "./operation-recipes.ts";
import { faultPlans } from "./plan-faults.ts";
import type { Recipe } from "./recipe.ts";

const recipesWithSecrets = namedRecipes.filter(([, id]) => routeOf(id).grants.secrets !== undefined);

/** Operations of one method with the same secrets read them in the same way. */
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

describe("after any failure of the first read of a secret, another attempt succeeds", () => {
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

  test("and the failure is really caused", async () => {
    const [[, id, recipe] = []] = recipesWithSecrets;
    if (id === undefined || recipe === undefined) throw new Error("No row grants a secret.");

    const { calls } = await runWithoutFault(id, cold(recipe));

    expect(calls.filter(isReading)).not.toEqual([]);
  });
});

/** Recognizes reads of cookie keys in the table, or of the registration at the identity provider. */
function isReading({ command, kind }: { readonly command: string; readonly kind: string }): boolean {
  return command === "GetParameter" || kind === "GetItem KEY/KEY";
}

/** The same in a function that has just started: its modules, and what they keep, are new. */
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

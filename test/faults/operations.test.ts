// @module-tag slow

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { routeOf } from "../../functions/routes.ts";
import { runWithFault, runWithoutFault } from "./fault-case.ts";
import type { Executed, PlannedFault } from "./faulty-aws.ts";
import { startFaultyService } from "./faulty-service.ts";
import { namedRecipes } from "./operation-recipes.ts";
import { faultPlans, meetEach } from "./plan-faults.ts";

let stop: () => Promise<void>;

beforeAll(async () => {
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  stop = await startFaultyService();
  // This loads the secrets into memory, as in a warm function.
  for (const [, id, recipe] of namedRecipes) {
    if (routeOf(id).grants.secrets !== undefined) await runWithoutFault(id, recipe);
  }
});
afterAll(async () => {
  vi.restoreAllMocks();
  await stop();
});

/** One write of each resource and one read, because the other operations make the same calls. */
const typicalIds = new Set(
  Object.values(
    Object.groupBy(
      namedRecipes.map(([, id]) => id),
      (id) => (routeOf(id).method === "GET" ? "a read" : routeOf(id).resource),
    ),
  ).map((ids) => ids?.[0]),
);

for (const { plan, hasVariants, options } of faultPlans)
  describe(`with ${hasVariants ? "all faults" : "some faults"}`, options, () => {
    const executed = new Map<string, Executed<unknown>>();

    describe.concurrent("after any failure of any AWS call, the promises hold and another attempt succeeds", () => {
      test.for(
        namedRecipes.filter(([, id, , isVariant]) => hasVariants || (!isVariant && typicalIds.has(id))),
      )("%s", async ([name, id, recipe]) => {
        const reference = await runWithoutFault(id, recipe);
        const failures: string[] = [];
        const meet = async (planned: PlannedFault) => {
          const title = `${name}: ${planned.call.label} ${planned.fault.name}`;
          try {
            executed.set(title, await runWithFault(id, recipe, planned, reference));
          } catch (error) {
            failures.push(`${title}: ${(error as Error).message}`);
          }
        };

        await meetEach(plan(reference.calls), meet);

        expect(failures).toEqual([]);
      });
    });

    test("nothing is written for a request after its response", () => {
      const late = [...executed].flatMap(([title, { lateWrites }]) =>
        lateWrites.map((label) => `${title}: ${label}`),
      );

      expect(executed.size).toBeGreaterThan(0);
      expect(late).toEqual([]);
    });
  });

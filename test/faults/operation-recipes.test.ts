import { expect, test } from "vitest";
import { idsWithoutRecipe } from "./operation-recipes.ts";

test("every operation that may call AWS has a fault recipe", () => {
  expect(idsWithoutRecipe, "write recipes for them in test/faults").toEqual([]);
});

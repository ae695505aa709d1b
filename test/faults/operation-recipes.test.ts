import { expect, test } from "vitest";
import { idsWithoutRecipe } from "./operation-recipes.ts";

test("every operation that may ask AWS for anything has a recipe for a good request", () => {
  expect(idsWithoutRecipe, "write recipes for them in test/faults").toEqual([]);
});

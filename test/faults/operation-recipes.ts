import { type OperationId, operationIds, routeOf } from "../../functions/routes.ts";
import { accountRecipes } from "./account-recipes.ts";
import { dropRecipes } from "./drop-recipes.ts";
import { readerRecipes } from "./reader-recipes.ts";
import type { Recipe } from "./recipe.ts";
import { signInRecipes } from "./sign-in-recipes.ts";

/** A recipe of an operation, with a name for both; all but an operation's first are variants. */
export type NamedRecipe = readonly [name: string, id: OperationId, recipe: Recipe, isVariant: boolean];

const recipes: Partial<Record<OperationId, readonly Recipe[]>> = {
  ...accountRecipes,
  ...dropRecipes,
  ...readerRecipes,
  ...signInRecipes,
};

/**
 * The operations that may ask AWS for anything: whatever a row grants beside settings. One that performs others asks by
 * theirs.
 */
const askingIds = operationIds.filter((id) => {
  const { settings: _, ...grants } = routeOf(id).grants;
  return Object.keys(grants).length > 0;
});

/** Those of them that nobody has written a recipe for. */
export const idsWithoutRecipe = askingIds.filter((id) => recipes[id] === undefined);

/** Every recipe of the operations that may ask AWS for anything. */
export const namedRecipes: readonly NamedRecipe[] = askingIds.flatMap((id) =>
  (recipes[id] ?? []).map((recipe, index): NamedRecipe => {
    const name = recipe.variant === undefined ? id : `${id}, ${recipe.variant}`;
    return [name, id, recipe, index > 0];
  }),
);

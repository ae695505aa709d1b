import { type OperationId, operationIds, routeOf } from "../../functions/routes.ts";
import { tokens } from "../../functions/table/tokens.ts";
import { accessRecipes } from "./access-recipes.ts";
import { accountPageRecipes } from "./account-page-recipes.ts";
import { accountRecipes } from "./account-recipes.ts";
import { answerRecipes } from "./answer-recipes.ts";
import { asksAws, isAgentsRead } from "./asking.ts";
import { dropRecipes } from "./drop-recipes.ts";
import { feedbackRecipes } from "./feedback-recipes.ts";
import { givenBlob, givenDrop, type World } from "./given-world.ts";
import { oauthRecipes } from "./oauth-recipes.ts";
import { ownTeamRecipes } from "./own-team-recipes.ts";
import { readerRecipes } from "./reader-recipes.ts";
import type { Prepared, Recipe } from "./recipe.ts";
import { renderRecipes } from "./render-recipes.ts";
import { scimRecipes } from "./scim-recipes.ts";
import { signInRecipes } from "./sign-in-recipes.ts";
import { teamRecipes } from "./team-recipes.ts";

/** A recipe of an operation, with a display name. All recipes of an operation except the first are variants. */
export type NamedRecipe = readonly [name: string, id: OperationId, recipe: Recipe, isVariant: boolean];

const recipes: Partial<Record<OperationId, readonly Recipe[]>> = {
  ...accessRecipes,
  ...accountPageRecipes,
  ...accountRecipes,
  ...answerRecipes,
  ...dropRecipes,
  ...feedbackRecipes,
  ...oauthRecipes,
  ...ownTeamRecipes,
  ...readerRecipes,
  ...renderRecipes,
  ...scimRecipes,
  ...signInRecipes,
  ...teamRecipes,
};

/** Operations that may call AWS. */
const askingIds = operationIds.filter((id) => asksAws(routeOf(id)));

/** Operations that may call AWS and have no recipe, except simple reads of agents. */
export const idsWithoutRecipe = askingIds.filter((id) => recipesOf(id).length === 0);

/** All recipes of operations that may call AWS. */
export const namedRecipes: readonly NamedRecipe[] = askingIds.flatMap((id) =>
  recipesOf(id).map((recipe, index): NamedRecipe => {
    const name = recipe.variant === undefined ? id : `${id}, ${recipe.variant}`;
    return [name, id, recipe, index > 0];
  }),
);

/** Returns the recipes of an operation. A read of an agent needs only the item in its path. */
function recipesOf(id: OperationId): readonly Recipe[] {
  return recipes[id] ?? (isAgentsRead(routeOf(id)) ? [{ prepare: (world) => prepareRead(id, world) }] : []);
}

async function prepareRead(id: OperationId, world: World): Promise<Prepared> {
  const { path, resource } = routeOf(id);
  const { token, userId } = world;
  if (path.includes("{slug}")) {
    return { call: { token, params: { slug: (await givenDrop(world)).slug, n: "1" } } };
  }
  if (!path.includes("{id}")) return { call: { token } };
  const found = resource === "tokens" ? (await tokens.list(userId))[0] : await givenBlob(world);
  return { call: { token, params: { id: found?.id ?? "" } } };
}

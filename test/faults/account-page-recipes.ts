import { expect } from "vitest";
import { keys } from "../../functions/platform/keys.ts";
import { transact } from "../../functions/platform/table-writes.ts";
import type { OperationId } from "../../functions/routes.ts";
import { givenReader, type Reader } from "./given-reader.ts";
import { givenDrop, type World } from "./given-world.ts";
import type { Recipe } from "./recipe.ts";

/** An owner's own pages, in a browser in which the owner has signed in. */
export const accountPageRecipes: Partial<Record<OperationId, readonly Recipe[]>> = {
  "show-account": [
    {
      prepare: async (world) => {
        const drop = await givenDrop(world);
        const { browser } = await givenOwner(world);
        return {
          call: { browser },
          expectVisible: async ({ text }) => expect(text).toContain(`/account/drops/${drop.slug}`),
        };
      },
    },
  ],
};

/** The owner of a world, signed in: whose account it is, the identity's item says. */
async function givenOwner(world: World): Promise<Reader> {
  const { userId, partitions } = world;
  const identity = keys.identity("https://id.example.com", userId);
  await transact([{ put: { ...identity, userId, createdAtMs: world.startedAtMs } }]);
  partitions.add(identity.pk);
  return givenReader(world);
}

import { randomInt } from "node:crypto";
import { expect } from "vitest";
import { provisionedNameOf } from "../../functions/people/members.ts";
import type { OperationId } from "../../functions/routes.ts";
import { scimTokens } from "../../functions/scim/scim-tokens.ts";
import type { StoredUser } from "../../functions/scim/stored-user.ts";
import { users } from "../../functions/scim/user-store.ts";
import { keys } from "../../functions/table/keys.ts";
import { getItem } from "../../functions/table/table.ts";
import { transact } from "../../functions/table/table-writes.ts";
import { tokens } from "../../functions/table/tokens.ts";
import { givenAct } from "../support/given-act.ts";
import type { World } from "./given-world.ts";
import type { Recipe } from "./recipe.ts";

/** Recipes of a directory that removes a person whose account has a token. */
export const scimRecipes: Partial<Record<OperationId, readonly Recipe[]>> = {
  "call-scim": [
    {
      prepare: async (world) => {
        const { id } = await givenUser(world);
        const body = {
          schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
          Operations: [{ op: "replace", value: { active: false } }],
        };
        return {
          call: { ...(await callOf(id)), method: "PATCH", body },
          expectVisible: async ({ text }) => {
            expect(JSON.parse(text)).toMatchObject({ id, active: false });
            await expectOut(world);
          },
        };
      },
    },
    {
      variant: "deletion",
      statusOnceDone: 404,
      prepare: async (world) => {
        const { id } = await givenUser(world);
        return {
          call: { ...(await callOf(id)), method: "DELETE" },
          expectVisible: async () => {
            expect(await users.find(id)).toBeUndefined();
            await expectOut(world);
          },
        };
      },
    },
  ],
};

async function expectOut({ userId }: World): Promise<void> {
  expect(await tokens.list(userId)).toEqual([]);
  expect(await getItem(keys.account(userId))).toHaveProperty("membershipEndedAtMs");
}

async function callOf(id: string) {
  token ??= createToken();
  return { token: await token, params: { proxy: `Users/${id}` } };
}

/** Shared by all cases, since the service has at most two SCIM tokens. */
let token: Promise<string> | undefined;

async function createToken(): Promise<string> {
  const created = await scimTokens.create(givenAct(), randomInt);
  if (created === undefined) throw new Error("There are two SCIM tokens already.");
  return created.plaintext;
}

/** Creates a directory user for the owner of a world. */
async function givenUser({ userId, namespace, partitions }: World): Promise<StoredUser> {
  const name = keys.provisionedName(provisionedNameOf("userName", namespace));
  await transact([{ key: name, update: "ADD accounts :account", values: { ":account": new Set([userId]) } }]);
  const facts = { userName: namespace, externalId: undefined, active: true, profile: {} };
  const user = await users.create(facts, givenAct(), randomInt);
  partitions.add(keys.provisionedUser(user.id).pk).add(name.pk);
  return user;
}

import { expect } from "vitest";
import { formProofs } from "../../functions/http/form-proof.ts";
import { accessFormSubject, messageField } from "../../functions/identity/access-form.tsx";
import type { OperationId } from "../../functions/routes.ts";
import { ranges } from "../../functions/table/keys.ts";
import { queryAll } from "../../functions/table/table.ts";
import { restrictDrop, storeAccessRequest } from "../support/given-access-request.ts";
import { callUnmeasured } from "../support/operation-caller.ts";
import { givenReader } from "./given-reader.ts";
import { givenDrop, givenWorld, type World } from "./given-world.ts";
import type { Prepared, Recipe } from "./recipe.ts";

/** Recipes of operations on requests for access. */
export const accessRecipes: Partial<Record<OperationId, readonly Recipe[]>> = {
  "list-access-requests": [
    {
      prepare: async (world) => {
        const { token, params } = await givenRequest(world);
        return {
          call: { token },
          expectVisible: async ({ text }) => expect(JSON.parse(text)).toMatchObject({ requests: [params] }),
        };
      },
    },
  ],
  "dismiss-access-request": [
    {
      statusOnceDone: 404,
      prepare: async (world) => {
        const call = await givenRequest(world);
        return { call, expectVisible: async () => expect(await textsOf(call)).toEqual([]) };
      },
    },
  ],
};

/** Recipes of the form with which a person requests access. Each attempt replaces the request. */
export const accessFormRecipes: readonly Recipe[] = [
  {
    isDoneAnew: true,
    prepare: async (world) => {
      const call = await givenForm(world);
      return { call, expectVisible: async () => expect(await textsOf(call)).toEqual(["Please."]) };
    },
  },
  {
    variant: "again",
    isDoneAnew: true,
    prepare: async (world) => {
      const call = await givenForm(world);
      await callUnmeasured("request-access", "", { ...call, body: call.body.replace("Please", "Hello") });
      return { call, expectVisible: async () => expect(await textsOf(call)).toEqual(["Please."]) };
    },
  },
  {
    variant: "missing",
    // A request for a missing drop stores nothing readable, and has no audit entry.
    isToldBefore: true,
    prepare: async (world) => ({ call: { ...(await givenForm(world)), params: { slug: "Missing" } } }),
  },
];

async function givenRequest(world: World): Promise<Pick<Prepared["call"], "token" | "params">> {
  const drop = await givenDrop(world);
  await restrictDrop(drop);
  return { token: world.token, params: { slug: drop.slug, id: await storeAccessRequest(drop) } };
}

/** Opens the form as a signed-in person, for another person's drop. */
async function givenForm(world: World) {
  const owner = await givenWorld(1);
  const drop = await givenDrop(owner);
  await restrictDrop(drop);
  const { browser, reference } = await givenReader(world);
  const proof = (await formProofs(reference))(accessFormSubject);
  world.userIds.add(owner.userId);
  return {
    params: { slug: drop.slug },
    browser,
    headers: { origin: new URL(process.env.BASE_URL ?? "").origin },
    body: new URLSearchParams({ proof, [messageField]: "Please." }).toString(),
  };
}

async function textsOf({ params = {} }: Pick<Prepared["call"], "params">): Promise<unknown[]> {
  return (await queryAll(ranges.accessRequests(String(params.slug)))).map(({ text }) => text);
}

import { expect } from "vitest";
import { answers } from "../../functions/answers/store.ts";
import type { OperationId } from "../../functions/routes.ts";
import { storeAnswer } from "../support/given-answers.ts";
import { givenDrop, type World } from "./given-world.ts";
import type { Prepared, Recipe } from "./recipe.ts";

/** Creates a drop with two answers to one form. */
async function givenAnswers(world: World): Promise<Pick<Prepared["call"], "token" | "params">> {
  const { slug } = await givenDrop(world);
  for (const person of ["ada", "grace"]) await storeAnswer(world.userId, slug, { person });
  return { token: world.token, params: { slug, number: "1" } };
}

async function numbersOf({ params = {} }: Pick<Prepared["call"], "params">): Promise<number[]> {
  return (await answers.listAll(String(params.slug))).map(({ number }) => number);
}

/** Recipes of operations on answers. */
export const answerRecipes: Partial<Record<OperationId, readonly Recipe[]>> = {
  "list-answers": [
    {
      prepare: async (world) => ({
        call: await givenAnswers(world),
        expectVisible: async ({ text }) => expect(JSON.parse(text)).toMatchObject({ next_since: 2 }),
      }),
    },
  ],
  "export-answers": [
    {
      prepare: async (world) => ({
        call: await givenAnswers(world),
        expectVisible: async ({ text }) => expect(text.split("\r\n")).toHaveLength(4),
      }),
    },
  ],
  "delete-answer": [
    {
      statusOnceDone: 404,
      prepare: async (world) => {
        const call = await givenAnswers(world);
        return { call, expectVisible: async () => expect(await numbersOf(call)).toEqual([2]) };
      },
    },
  ],
  "delete-answers": [
    {
      prepare: async (world) => {
        const call = await givenAnswers(world);
        return { call, expectVisible: async () => expect(await numbersOf(call)).toEqual([]) };
      },
    },
  ],
};

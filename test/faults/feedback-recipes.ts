import { randomInt, randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { FeedbackListResponse } from "../../functions/feedback/schemas.ts";
import { feedback } from "../../functions/feedback/store.ts";
import type { OperationId } from "../../functions/routes.ts";
import { givenAct } from "../support/given-act.ts";
import { callOperation } from "../support/operation-caller.ts";
import { givenDrop, type World } from "./given-world.ts";
import type { Prepared, Recipe } from "./recipe.ts";

/** Creates a drop with one thread of one comment, which quotes the page. */
async function givenThread(world: World): Promise<Pick<Prepared["call"], "token" | "params">> {
  const { slug } = await givenDrop(world);
  const author = { kind: "named", name: "Grace" } as const;
  const first = { author, text: "Is it?", quote: "Given", version: 1, atMs: Date.now() };
  const { kind } = await feedback.begin({ ownerId: world.userId, slug }, first, givenAct());
  if (kind !== "written") throw new Error(`The thread is not there: ${kind}.`);
  return { token: world.token, params: { slug, thread: "1" } };
}

const slugOf = ({ params = {} }: Pick<Prepared["call"], "params">) => String(params.slug);

async function textsOf(call: Pick<Prepared["call"], "params">): Promise<string[]> {
  const found = await feedback.find(slugOf(call), 1);
  return (found?.comments ?? []).map(({ text }) => text);
}

/** Recipes of feedback operations. */
export const feedbackRecipes: Partial<Record<OperationId, readonly Recipe[]>> = {
  "list-feedback": [
    {
      // A page's text that was not stored is extracted again.
      bestEffort: ["PutObject page.txt"],
      prepare: async (world) => ({
        call: { token: (await givenThread(world)).token },
        expectVisible: async ({ text }) => {
          const { comments, next_since } = JSON.parse(text) as FeedbackListResponse;
          expect([comments.length, next_since]).toEqual([1, 1]);
          expect(comments[0]?.thread.passage).toEqual({ state: "kept", version: 1 });
        },
      }),
    },
  ],
  "reply-to-feedback": [
    {
      variant: "with a key",
      prepare: async (world) => {
        const thread = await givenThread(world);
        const text = `Yes ${randomInt(1_000_000)}`;
        return {
          call: { ...thread, headers: { "idempotency-key": randomUUID() }, body: { text } },
          expectVisible: async () => expect(await textsOf(thread)).toEqual(["Is it?", text]),
        };
      },
    },
    {
      mayRepeat: true,
      prepare: async (world) => {
        const thread = await givenThread(world);
        return {
          call: { ...thread, body: { text: "Yes." } },
          expectVisible: async () => expect((await textsOf(thread)).at(-1)).toBe("Yes."),
        };
      },
    },
  ],
  "resolve-feedback": [
    {
      prepare: async (world) => {
        const thread = await givenThread(world);
        return {
          call: { ...thread, body: { state: "resolved" } },
          expectVisible: async () => {
            expect((await feedback.find(slugOf(thread), 1))?.thread.state).toBe("resolved");
            expect(await feedback.count(slugOf(thread))).toEqual({ threads: 1, openThreads: 0 });
          },
        };
      },
    },
  ],
  "delete-feedback": [
    {
      statusOnceDone: 404,
      prepare: async (world) => {
        const thread = await givenThread(world);
        return {
          call: thread,
          expectVisible: async () => {
            expect(await feedback.list(slugOf(thread))).toEqual([]);
            const { text } = await callOperation("list-feedback", { token: world.token });
            expect(JSON.parse(text)).toMatchObject({ comments: [], next_since: 1 });
          },
        };
      },
    },
  ],
};

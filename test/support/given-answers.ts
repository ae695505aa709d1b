import type { Answer, NewAnswer } from "../../functions/answers/answers.ts";
import { answers } from "../../functions/answers/store.ts";
import { openStores } from "../abuse/given-person.ts";
import { givenAct } from "./given-act.ts";

/** Stores an answer directly in the run's service, as if a reader of the drop had sent it. */
export async function givenAnswer(
  ownerId: string,
  slug: string,
  answer: Partial<NewAnswer> = {},
): Promise<Answer> {
  await openStores();
  return storeAnswer(ownerId, slug, answer);
}

/** Stores an answer in this process's stores. */
export async function storeAnswer(
  ownerId: string,
  slug: string,
  answer: Partial<NewAnswer> = {},
): Promise<Answer> {
  const outcome = await answers.send(
    { ownerId, slug },
    {
      form: "vote",
      fields: [["choice", "yes"]],
      version: 1,
      author: { kind: "stranger" },
      isMany: false,
      atMs: Date.now(),
      ...answer,
    },
    givenAct(),
  );
  if (outcome.kind === "written") return outcome.answer;
  throw new Error(`The answer was not written: ${outcome.kind}.`);
}

import type { Answer, NewAnswer } from "../../functions/answers/answers.ts";
import { answers } from "../../functions/answers/store.ts";
import { openStores } from "../abuse/given-person.ts";
import { givenAct } from "./given-act.ts";

/** Sends an answer behind the run's service, as a reader of a drop would. */
export async function givenAnswer(
  ownerId: string,
  slug: string,
  answer: Partial<NewAnswer> = {},
): Promise<Answer> {
  await openStores();
  return storeAnswer(ownerId, slug, answer);
}

/** Stores an answer in the stores that this process uses. */
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

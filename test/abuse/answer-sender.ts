import { answers } from "../../functions/answers/store.ts";
import { givenAct } from "../support/given-act.ts";

// Sends answers until it is killed or done, and prints the number of each acknowledged answer.

const [ownerId = "", slug = "", name = "", count = "0"] = process.argv.slice(2);

for (let sent = 0; sent < Number(count); sent += 1) {
  const person = `${name}-${sent}`;
  const outcome = await answers.send(
    { ownerId, slug },
    {
      form: "vote",
      fields: [["person", person]],
      version: 1,
      author: { kind: "stranger" },
      person,
      isMany: false,
      atMs: Date.now(),
    },
    givenAct(),
  );
  if (outcome.kind !== "written") throw new Error(`The answer was not written: ${outcome.kind}.`);
  process.stdout.write(`${outcome.answer.number} ${person}\n`);
}

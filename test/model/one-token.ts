import fc from "fast-check";
import { limits } from "../../functions/core/limits.ts";
import { writeIntent } from "./intents/every-intent.ts";
import { judge } from "./judge.ts";
import { Player, type PlayLength } from "./player.ts";

/** Writes that are made at once at the start, so that a slow machine comes to the last ones in the same minute, too. */
const spentAtOnce = limits.writesPerMinutePerToken - 12;
/** Enough for the rest of the minute's writes, with what is none and what is refused for other reasons among them. */
const stepCount = 40;
const triesMax = 5;

/** One token, until it has made more writes than a minute has: the model says which are refused, and till when. */
export async function playOneToken({ seed }: Pick<PlayLength, "seed">): Promise<number> {
  const [intents = []] = fc.sample(fc.array(writeIntent, { minLength: stepCount, maxLength: stepCount }), {
    seed,
    numRuns: 1,
  });
  for (let tries = 0; tries < triesMax; tries += 1) {
    const player = await Player.begin("one-token", 1);
    await spend(player);
    for (const intent of intents) {
      try {
        await player.perform(intent, player);
      } catch (error) {
        throw new Error(`${intent.words}: ${(error as Error).message}`, { cause: error });
      }
    }
    const count = player.state.tokens[0]?.minute?.count ?? 0;
    // Otherwise the machine was so busy that the minute was over.
    if (count >= limits.writesPerMinutePerToken) return count;
  }
  throw new Error("Too few writes were made in a minute.");
}

/** What is not found is a write all the same. */
async function spend(player: Player): Promise<void> {
  const token = player.state.tokens[0]?.plaintext ?? "";
  const write = {
    operation: "edit-drop" as const,
    token,
    params: { slug: "Zzzzzz9" },
    body: { title: "Nowhere" },
  };
  await player.make(write);
  const observations = await player.observeAll(Array.from({ length: spentAtOnce - 1 }, () => write));
  player.state = observations.reduce(judge, player.state);
}

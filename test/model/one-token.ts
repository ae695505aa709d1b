import fc from "fast-check";
import { limits } from "../../functions/core/limits.ts";
import { writeIntent } from "./intents/every-intent.ts";
import { judge } from "./judge.ts";
import { Player, type PlayLength } from "./player.ts";

/** Concurrent writes at the start, so that even a slow machine makes the last ones in the same minute. */
const spentAtOnce = limits.writesPerMinutePerToken - 12;
/** Enough for the remaining writes of the minute, although some calls are reads or are refused for other reasons. */
const stepCount = 40;
const triesMax = 5;

/** Makes more writes with one token than a minute allows. The model decides which are refused, and until when. */
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
    // With fewer writes the machine was so busy that the minute ended.
    if (count >= limits.writesPerMinutePerToken) return count;
  }
  throw new Error("Too few writes were made in a minute.");
}

/** Makes writes to a missing drop, which count, too. */
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

import fc from "fast-check";
import { limits } from "../../functions/platform/limits.ts";
import { writeIntent } from "./intents/every-intent.ts";
import { Player, type PlayLength } from "./player.ts";

/** Enough for the writes of a minute, with what is none and what is refused for other reasons among them. */
const stepCount = 110;

/** One token, until it has made more writes than a minute has: the model says which are refused, and till when. */
export async function playOneToken({ seed }: Pick<PlayLength, "seed">): Promise<number> {
  const player = await Player.begin("one-token", 1);
  const [intents = []] = fc.sample(fc.array(writeIntent, { minLength: stepCount, maxLength: stepCount }), {
    seed,
    numRuns: 1,
  });
  for (const intent of intents) {
    try {
      await player.perform(intent, player);
    } catch (error) {
      throw new Error(`${intent.words}: ${(error as Error).message}`, { cause: error });
    }
  }
  const count = player.state.tokens[0]?.minute?.count ?? 0;
  if (count < limits.writesPerMinutePerToken) throw new Error(`Only ${count} writes were made: too few.`);
  return count;
}

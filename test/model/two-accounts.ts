import fc from "fast-check";
import { everyIntent } from "./intents/every-intent.ts";
import type { Intent } from "./intents/intent.ts";
import { callsJudged, Player, type PlayLength, playMsMax } from "./player.ts";

/** An intent as a fast-check command. It is always possible, because missing objects are requested, too. */
class IntentCommand implements fc.AsyncCommand<object, Stage> {
  readonly intent: Intent;

  constructor(intent: Intent) {
    this.intent = intent;
  }

  check(): boolean {
    return true;
  }

  async run(_: object, { player, other, isOver }: Stage): Promise<void> {
    if (!isOver()) await player.perform(this.intent, other);
  }

  toString(): string {
    return this.intent.words;
  }
}

/** The acting player and the concurrent one, until either fails. */
interface Stage {
  readonly player: Player;
  readonly other: Player;
  readonly isOver: () => boolean;
}

/** Creates up to `countMax` steps of one account. */
function stepsOf(intents: fc.Arbitrary<Intent>, countMax: number) {
  const commands = [intents.map((intent) => new IntentCommand(intent))];
  // Without bias, because the first runs would have few steps and find little.
  return fc.noBias(fc.commands(commands, { maxCommands: countMax, size: "max", disableReplayLog: true }));
}

/**
 * Makes calls of two accounts concurrently, each in its own sequence, until `calls` calls were made. fast-check shrinks a failure
 * and reports it with its seed.
 */
export async function playTwoAccounts({ calls, seed }: PlayLength): Promise<readonly Player[]> {
  const until = callsJudged() + calls;
  const players: Player[] = [];
  let hasFailed = false;
  const both = fc.tuple(stepsOf(everyIntent, 90), stepsOf(everyIntent, 90));
  const property = fc.asyncProperty(both, async ([first, second]) => {
    if (callsJudged() >= until && !hasFailed) return;
    const pair = await Promise.all([Player.begin("model", 3), Player.begin("beside", 3)]);
    let isOver = false;
    const act = async (player: Player, other: Player, commands: typeof first) => {
      try {
        const stage: Stage = { player, other, isOver: () => isOver };
        await fc.asyncModelRun(() => ({ model: {}, real: stage }), commands);
        if (!isOver) await player.readEverything();
        if (!isOver) await player.expectCountersRight();
      } catch (error) {
        isOver = hasFailed = true;
        throw error;
      }
    };
    const outcomes = await Promise.allSettled([act(pair[0], pair[1], first), act(pair[1], pair[0], second)]);
    for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
    players.push(...pair);
  });
  await fc.assert(property, {
    seed,
    // More than are needed. Runs after the last call do nothing.
    numRuns: Math.ceil(calls / 10),
    interruptAfterTimeLimit: playMsMax(calls),
  });
  return players;
}

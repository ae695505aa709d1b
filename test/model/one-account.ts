import fc from "fast-check";
import type { Observation } from "./call.ts";
import { concurrentIntent } from "./intents/every-intent.ts";
import type { Intent } from "./intents/intent.ts";
import { judge } from "./judge.ts";
import { callsJudged, Player, type PlayLength, playMsMax } from "./player.ts";
import { type AccountState, ownerAddress, withToken } from "./state.ts";

/** Concurrent intents of several clients of one account. */
const batch = fc
  .tuple(fc.array(concurrentIntent, { minLength: 2, maxLength: 3 }), fc.nat({ max: 3 }))
  // Sometimes repeats the same call. With a key it is a retry during the first attempt.
  .map(([intents, dice]) => (dice === 0 ? [intents[0] as Intent, ...intents.slice(0, -1)] : intents));

/**
 * Makes two or three concurrent calls of one account at a time. Their responses and later reads must be those of some
 * sequential order. Continues until `calls` calls were made.
 */
export async function playOneAccount({ calls, seed }: PlayLength): Promise<void> {
  const until = callsJudged() + calls;
  let hasFailed = false;
  const property = fc.asyncProperty(
    fc.noBias(fc.array(printable(batch), { maxLength: 20, size: "max" })),
    async (batches) => {
      if (callsJudged() >= until && !hasFailed) return;
      const player = await Player.begin("at-once", 3);
      try {
        for (const { intents } of batches) await playAtOnce(player, intents);
        await player.readEverything();
        await player.expectCountersRight();
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    },
  );
  await fc.assert(property, {
    seed,
    numRuns: Math.ceil(calls / 5),
    interruptAfterTimeLimit: playMsMax(calls),
  });
}

async function playAtOnce(player: Player, intents: readonly Intent[]): Promise<void> {
  const { state } = player;
  const calls = intents.map((intent, index) => {
    const call = intent.toCall(state, state);
    // Each client has its own token, and so its own limit of writes.
    const own = state.tokens[index]?.plaintext;
    const isGood = state.tokens.some(({ plaintext }) => plaintext === call.token);
    return isGood && own !== undefined ? { ...call, token: own } : call;
  });
  const observations = await player.observeAll(calls);
  try {
    const possible = statesAfter(state, observations);
    player.state = await narrow(player, possible);
  } catch (error) {
    throw player.withLastCalls(error);
  }
}

/**
 * Returns the possible states after concurrent calls: one for each order that explains all responses.
 *
 * @throws if no order explains them
 */
export function statesAfter(before: AccountState, observations: readonly Observation[]): AccountState[] {
  const found = new Map<string, AccountState>();
  const failures: string[] = [];
  for (const order of permutations(observations)) {
    try {
      const after = order.reduce(judge, before);
      found.set(JSON.stringify(after), after);
    } catch (error) {
      const names = order.map(({ call }) => call.operation).join(", ");
      failures.push(`${names}: ${(error as Error).message}`);
    }
  }
  if (found.size > 0) return [...found.values()];
  throw new Error(`No order explains the responses to concurrent calls.\n${failures.join("\n")}`);
}

/** Finds the one of several possible states that explains the current reads. */
async function narrow(player: Player, possible: readonly AccountState[]): Promise<AccountState> {
  const [only, ...others] = possible;
  if (only === undefined || others.length === 0) return only ?? player.state;
  const token = only.tokens[0]?.plaintext ?? "";
  const slugs = new Set(possible.flatMap(({ drops }) => drops.map(({ slug }) => slug)));
  const observations = await player.observeAll([
    { operation: "get-usage", token },
    ...[...slugs].flatMap((slug) => [
      { operation: "get-drop" as const, token, params: { slug } },
      { operation: "list-versions" as const, token, params: { slug } },
      {
        operation: "read-raw-page" as const,
        address: `${ownerAddress(only)}/p/${slug}/raw?read=${Math.random()}`,
      },
    ]),
  ]);
  const used = {
    from: Math.min(...observations.map(({ sentAtMs }) => sentAtMs)),
    to: Math.max(...observations.map(({ answeredAtMs }) => answeredAtMs)),
  };
  const explained = possible.flatMap((state) => {
    try {
      const after = observations.reduce(judge, state);
      // The reads share a token, and it is unknown which of them was its last use.
      return after.tokens[0] ? [withToken(after, { ...after.tokens[0], lastUsedAtMs: used })] : [after];
    } catch {
      return [];
    }
  });
  if (explained[0] === undefined) throw new Error("No order explains the state after concurrent calls.");
  return explained[0];
}

function permutations<One>(all: readonly One[]): One[][] {
  if (all.length <= 1) return [[...all]];
  return all.flatMap((first, index) =>
    permutations(all.filter((_, other) => other !== index)).map((rest) => [first, ...rest]),
  );
}

/** Adds a description for reports of failures. */
function printable(intents: fc.Arbitrary<Intent[]>) {
  return intents.map((all) => ({
    intents: all,
    [fc.toStringMethod]: () => `at once: ${all.map(({ words }) => words).join(" | ")}`,
  }));
}

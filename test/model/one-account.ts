import fc from "fast-check";
import type { Observation } from "./call.ts";
import { concurrentIntent } from "./intents/every-intent.ts";
import type { Intent } from "./intents/intent.ts";
import { judge } from "./judge.ts";
import { callsJudged, Player, type PlayLength, playMsMax } from "./player.ts";
import { type AccountState, ownerAddress, withToken } from "./state.ts";

/** What several clients of one account do at the same moment. */
const batch = fc
  .tuple(fc.array(concurrentIntent, { minLength: 2, maxLength: 3 }), fc.nat({ max: 3 }))
  // Now and then the same call twice: with a key, that is a retry which came too soon.
  .map(([intents, dice]) => (dice === 0 ? [intents[0] as Intent, ...intents.slice(0, -1)] : intents));

/**
 * Clients of one account, two or three calls at once: their responses, and all that is read afterwards, must be those of
 * some order in which they came one by one. Goes on until so many calls were made.
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
    // Each client has a token of its own, and so its own minute of writes.
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
 * The accounts that there may be after calls at once: one for each order that explains all of their responses.
 *
 * @throws when no order does
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
  throw new Error(`No order explains what came of calls at once.\n${failures.join("\n")}`);
}

/** The one account of all that may be, by what is read of it now. */
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
      // One token for reads at once: which of them was its last use, nobody knows.
      return after.tokens[0] ? [withToken(after, { ...after.tokens[0], lastUsedAtMs: used })] : [after];
    } catch {
      return [];
    }
  });
  if (explained[0] === undefined) throw new Error("No order explains what is there after calls at once.");
  return explained[0];
}

function permutations<One>(all: readonly One[]): One[][] {
  if (all.length <= 1) return [[...all]];
  return all.flatMap((first, index) =>
    permutations(all.filter((_, other) => other !== index)).map((rest) => [first, ...rest]),
  );
}

/** With words for the report of a failure. */
function printable(intents: fc.Arbitrary<Intent[]>) {
  return intents.map((all) => ({
    intents: all,
    [fc.toStringMethod]: () => `at once: ${all.map(({ words }) => words).join(" | ")}`,
  }));
}

import { beforeAll, expect, test } from "vitest";
import { limits } from "../../functions/http/limits.ts";
import { playOneToken } from "../model/one-token.ts";
import { callsJudged, playMsMax } from "../model/player.ts";
import { callsOfTwo, quickCallsOfTwo, seed } from "../model/run-length.ts";
import { playTwoAccounts } from "../model/two-accounts.ts";
import { expectUsualOutcomes } from "../model/usual-outcomes.ts";
import { quickAndSlow } from "../support/quick-and-slow.ts";
import { openStores } from "./given-person.ts";

// The model is in test/model.

beforeAll(openStores);

for (const { cases, options } of quickAndSlow(
  [quickCallsOfTwo, callsOfTwo],
  (calls) => calls === quickCallsOfTwo,
))
  test.each(cases)(
    `two accounts at once, %i calls, every response is the model's (seed ${seed})`,
    { ...options, timeout: playMsMax(callsOfTwo) + 60_000 },
    async (calls) => {
      const before = callsJudged();

      const players = await playTwoAccounts({ calls, seed });

      expect(callsJudged() - before).toBeGreaterThanOrEqual(calls);
      await Promise.all(players.map((player) => player.expectViewsCounted()));
      expectUsualOutcomes(calls);
    },
  );

test(`a token's writes are refused when the model says so (seed ${seed})`, async () => {
  expect(await playOneToken({ seed })).toBe(limits.writesPerMinutePerToken);
});

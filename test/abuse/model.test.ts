// @module-tag slow

import { beforeAll, expect, test } from "vitest";
import { limits } from "../../functions/core/limits.ts";
import { playOneToken } from "../model/one-token.ts";
import { callsJudged, playMsMax } from "../model/player.ts";
import { playTwoAccounts } from "../model/two-accounts.ts";
import { expectUsualOutcomes } from "../model/usual-outcomes.ts";
import { runLength, seed } from "../support/random-run.ts";
import { openStores } from "./given-person.ts";

// The model is in test/model.

const callsOfTwo = 180 * runLength;

beforeAll(openStores);

test(`each response to ${callsOfTwo} concurrent calls of two accounts is what the model expects (seed ${seed})`, {
  timeout: playMsMax(callsOfTwo) + 60_000,
}, async () => {
  const before = callsJudged();

  const players = await playTwoAccounts({ calls: callsOfTwo, seed });

  expect(callsJudged() - before).toBeGreaterThanOrEqual(callsOfTwo);
  await Promise.all(players.map((player) => player.expectViewsCounted()));
  expectUsualOutcomes(callsOfTwo);
});

test(`a token's writes are refused exactly when the model refuses them (seed ${seed})`, async () => {
  expect(await playOneToken({ seed })).toBe(limits.writesPerMinutePerToken);
});

// @module-tag slow

import { beforeAll, expect, test } from "vitest";
import { callsJudged, playMsMax } from "../model/player.ts";
import { callsOfTwo, seed } from "../model/run-length.ts";
import { playTwoAccounts } from "../model/two-accounts.ts";
import { expectUsualOutcomes } from "../model/usual-outcomes.ts";
import { openStores } from "./given-person.ts";

// As in model.test.ts, beside it: a run of all these calls takes one processor for minutes.

const nextSeed = seed + 1;

beforeAll(openStores);

test(
  `two accounts at once, every response is the model's (seed ${nextSeed})`,
  async () => {
    const before = callsJudged();

    const players = await playTwoAccounts({ calls: callsOfTwo, seed: nextSeed });

    expect(callsJudged() - before).toBeGreaterThanOrEqual(callsOfTwo);
    await Promise.all(players.map((player) => player.expectViewsCounted()));
    expectUsualOutcomes(callsOfTwo);
  },
  playMsMax(callsOfTwo) + 60_000,
);

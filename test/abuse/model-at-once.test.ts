// @module-tag slow

import { beforeAll, expect, test } from "vitest";
import { playOneAccount } from "../model/one-account.ts";
import { callsJudged, playMsMax } from "../model/player.ts";
import { runLength, seed } from "../support/random-run.ts";
import { openStores } from "./given-person.ts";

// The model is in test/model.

/** Each call takes as long as three sequential ones, because its response is judged for every order. */
const callsAtOnce = 40 * runLength;

beforeAll(openStores);

test(
  `responses to concurrent calls of one account are those of sequential calls (seed ${seed + 2})`,
  async () => {
    const before = callsJudged();

    await playOneAccount({ calls: callsAtOnce, seed: seed + 2 });

    expect(callsJudged() - before).toBeGreaterThanOrEqual(callsAtOnce);
  },
  playMsMax(callsAtOnce) + 60_000,
);

// @module-tag slow

import { beforeAll, expect, test } from "vitest";
import { playOneAccount } from "../model/one-account.ts";
import { callsJudged, playMsMax } from "../model/player.ts";
import { runLength, seed } from "../support/random-run.ts";
import { openStores } from "./given-person.ts";

// The model is in test/model.

/** Each takes as much as three others, since its result is looked for in every order. */
const callsAtOnce = 40 * runLength;

beforeAll(openStores);

test(
  `concurrent calls of one account have the effect of sequential calls (seed ${seed + 2})`,
  async () => {
    const before = callsJudged();

    await playOneAccount({ calls: callsAtOnce, seed: seed + 2 });

    expect(callsJudged() - before).toBeGreaterThanOrEqual(callsAtOnce);
  },
  playMsMax(callsAtOnce) + 60_000,
);

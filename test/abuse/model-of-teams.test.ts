// @module-tag slow

import { beforeAll, expect, test } from "vitest";
import { playOneTeam } from "../model/one-team.ts";
import { callsJudged, playMsMax } from "../model/player.ts";
import { expectUsualTeamOutcomes } from "../model/usual-outcomes.ts";
import { runLength, seed } from "../support/random-run.ts";
import { openStores } from "./given-person.ts";

// The model is in test/model.

/** 20,000 calls for a run length of ten, as each night. */
const callsOfTeam = runLength === 1 ? 120 : 2_000 * runLength;

beforeAll(openStores);

test(
  `each response to ${callsOfTeam} calls of two people and their team is what the model expects (seed ${seed + 3})`,
  async () => {
    const before = callsJudged();

    await playOneTeam({ calls: callsOfTeam, seed: seed + 3 });

    expect(callsJudged() - before).toBeGreaterThanOrEqual(callsOfTeam);
    expectUsualTeamOutcomes(callsOfTeam);
  },
  playMsMax(callsOfTeam) + 60_000,
);

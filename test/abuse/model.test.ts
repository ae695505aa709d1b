import { beforeAll, expect, test } from "vitest";
import { limits } from "../../functions/platform/limits.ts";
import { playOneAccount } from "../model/one-account.ts";
import { playOneToken } from "../model/one-token.ts";
import { callsJudged, outcomesJudged, playMsMax } from "../model/player.ts";
import { playTwoAccounts } from "../model/two-accounts.ts";
import { isThorough } from "../support/thorough.ts";
import { openStores } from "./given-person.ts";

// The model is in test/model. DROPLEAF_MODEL_OPERATIONS makes the run longer; DROPLEAF_MODEL_SEED takes a seed that a
// report has told, or the word `random`, which looks for what is new.

/** The same sequences in every run, so that red means a change. */
const usualSeed = 20_260_102;
const operations = Number(process.env.DROPLEAF_MODEL_OPERATIONS || (isThorough ? 10_000 : 160));
const seed = readSeed(process.env.DROPLEAF_MODEL_SEED ?? "");
const [callsOfTwo, callsAtOnce] = [Math.ceil(operations * 0.75), Math.ceil(operations * 0.2)];

/** So many calls come to all that is usual. */
const operationsForAll = 3_000;

/** What is so usual that a long run without it has not done what it is for. */
const usualOutcomes = [
  ...["publish-drop 201", "publish-drop 400", "publish-version 200", "publish-version 404", "edit-drop 200"],
  ...[
    "get-drop 200",
    "get-drop 404",
    "list-drops 200",
    "list-drops 400",
    "delete-drop 204",
    "delete-drop 404",
  ],
  ...["upsert-drop 200", "upsert-drop 201", "upsert-drop 400", "upsert-drop 409", "upsert-drop 412"],
  ...["publish-version 412", "edit-drop 412", "delete-drop 412", "upload-blob 409"],
  ...["publish-drop 201 by tool", "publish-version 200 by tool"],
  ...["edit-drop 200 by tool", "delete-drop 204 by tool", "list-drops 200 by tool", "get-drop 404 by tool"],
  ...["upload-blob 201 by tool", "delete-version 204 by tool"],
  ...["set-passcode 200", "list-versions 200", "get-version 200", "get-version 404"],
  ...["delete-version 204", "delete-version 404", "delete-version 409"],
  ...[
    "upload-blob 201",
    "upload-blob 400",
    "edit-blob 200",
    "delete-blob 204",
    "start-upload 201",
    "send-file 200",
  ],
  ...["complete-upload 201", "complete-upload 404", "serve-blob 200", "serve-blob 404"],
  ...["get-me 200", "get-usage 200", "list-tokens 200", "revoke-token 204"],
  ...["start-sign-in 200", "confirm-sign-in 200", "poll-sign-in 200"],
  ...["view-drop 200", "view-drop 404", "read-raw-page 200", "read-raw-page 404", "read-context 200"],
  ...["unlock-drop 303", "unlock-drop 404", "show-owner-page 200"],
];

beforeAll(openStores);

function readSeed(text: string): number {
  if (text === "random") return Date.now() % 2 ** 31;
  const given = text === "" ? usualSeed : Number(text);
  if (!Number.isInteger(given))
    throw new Error(`DROPLEAF_MODEL_SEED must be an integer or random, not ${text}.`);
  return given;
}

test(
  `two accounts at once, every response is the model's (seed ${seed})`,
  async () => {
    const before = callsJudged();

    const players = await playTwoAccounts({ calls: callsOfTwo, seed });

    expect(callsJudged() - before).toBeGreaterThanOrEqual(callsOfTwo);
    await Promise.all(players.map((player) => player.expectViewsCounted()));
    const missing = usualOutcomes.filter((outcome) => !outcomesJudged().has(outcome));
    expect(missing.length).toBeLessThan(usualOutcomes.length / 3);
    if (operations >= operationsForAll) expect(missing).toEqual([]);
  },
  playMsMax(callsOfTwo) + 60_000,
);

test(
  `calls of one account at once are as if they came one by one (seed ${seed})`,
  async () => {
    const before = callsJudged();

    await playOneAccount({ calls: callsAtOnce, seed });

    expect(callsJudged() - before).toBeGreaterThanOrEqual(callsAtOnce);
  },
  playMsMax(callsAtOnce) + 60_000,
);

test(`a token's writes are refused when the model says so (seed ${seed})`, async () => {
  expect(await playOneToken({ seed })).toBe(limits.writesPerMinutePerToken);
});

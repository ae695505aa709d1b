import { expect } from "vitest";
import { outcomesJudged } from "./player.ts";

/** Number of calls that produces all usual outcomes. A fifth of it produces all except a few rare ones. */
const callsForAll = 15_000;
const callsForMost = callsForAll / 5;
const rareOutcomesMax = 4;

/** Outcomes that every long run must produce. */
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
  ...["list-trash 200", "undelete-drop 200", "undelete-drop 404", "purge-drop 204", "purge-drop 404"],
  ...["pass-time 200", "keep-versions 200", "set-hold 200", "delete-drop 403"],
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
  ...["read-drop-state 200", "view-drop 303", "read-raw-page 303"],
  ...["unlock-drop 303", "unlock-drop 404", "show-owner-page 200"],
];

/** Usual outcomes of people with a team. */
const usualTeamOutcomes = [
  ...["move-drop 200", "move-drop 200 by tool", "move-drop 400", "move-drop 403", "move-drop 404"],
  ...[
    "move-drop 412",
    "create-team 201",
    "create-team 400",
    "create-team 403",
    "get-team 200",
    "get-team 404",
  ],
  ...["edit-team 200", "edit-team 400", "edit-team 403", "list-teams 200", "list-teams 403"],
  ...[
    "set-team-role 200",
    "set-team-role 400",
    "set-team-role 403",
    "set-team-role 404",
    "set-team-role 409",
  ],
  ...["remove-team-role 204", "remove-team-role 400", "remove-team-role 403", "remove-team-role 404"],
  ...["remove-team-role 409", "create-team-token 201", "create-team-token 403", "create-team-token 404"],
  ...["publish-drop 201", "publish-drop 403", "publish-drop 403 by tool", "publish-version 200"],
  ...["publish-version 403", "edit-drop 200", "edit-drop 403", "delete-drop 204", "delete-drop 403"],
  ...["upsert-drop 403", "delete-version 403", "set-passcode 403", "revoke-token 403", "get-me 403"],
];

/** Checks that a run of two accounts produced the usual outcomes. */
export function expectUsualOutcomes(calls: number): void {
  expectOutcomes(usualOutcomes, calls);
}

/** Checks that a run of people with a team produced the usual outcomes. */
export function expectUsualTeamOutcomes(calls: number): void {
  expectOutcomes(usualTeamOutcomes, calls);
}

function expectOutcomes(usual: readonly string[], calls: number): void {
  const missing = usual.filter((outcome) => !outcomesJudged().has(outcome));
  expect(missing.length).toBeLessThan(usual.length / 2);
  if (calls >= callsForMost) expect(missing.slice(rareOutcomesMax)).toEqual([]);
  if (calls >= callsForAll) expect(missing).toEqual([]);
}

import fc from "fast-check";
import { accountIntents } from "./account-intents.ts";
import { badInput } from "./bad-input.ts";
import { blobIntents } from "./blob-intents.ts";
import { dropIntents } from "./drop-intents.ts";
import type { Intent } from "./intent.ts";
import { pageIntents } from "./page-intents.ts";
import { keyed, repeatCall, someByTool } from "./retry-intents.ts";
import { stepIntents } from "./step-intents.ts";
import { teamIntents } from "./team-intents.ts";

/** All intents of an account and its visitors. Passcodes are rare, because hashing them is slow. */
export const everyIntent: fc.Arbitrary<Intent> = inEveryWay([
  [8, dropIntents.publishDrop],
  [9, dropIntents.upsertDrop],
  [8, repeatCall],
  [6, dropIntents.listDrops],
  [4, dropIntents.getDrop],
  [8, dropIntents.publishVersion],
  [6, dropIntents.editDrop],
  [4, dropIntents.deleteDrop],
  [1, dropIntents.listTrash],
  [4, dropIntents.undeleteDrop],
  [1, dropIntents.purgeDrop],
  [2, dropIntents.publishExpiring],
  [3, dropIntents.setExpiry],
  [6, stepIntents.passTime],
  [2, stepIntents.keepVersions],
  [4, stepIntents.setHold],
  [2, dropIntents.lock],
  [1, dropIntents.unlock],
  [3, dropIntents.listVersions],
  [3, dropIntents.getVersion],
  [5, dropIntents.deleteVersion],
  [3, blobIntents.uploadBlob],
  [2, blobIntents.deleteBlob],
  [2, blobIntents.editBlob],
  [2, blobIntents.startUpload],
  [3, blobIntents.sendFile],
  [3, blobIntents.completeUpload],
  [4, blobIntents.serveBlob],
  [2, accountIntents.getMe],
  [2, accountIntents.getUsage],
  [2, accountIntents.listTokens],
  [1, accountIntents.revokeToken],
  [1, accountIntents.startSignIn],
  [2, accountIntents.confirmSignIn],
  [3, accountIntents.pollSignIn],
  [6, pageIntents.viewDrop],
  [10, pageIntents.readRawPage],
  [8, pageIntents.readContext],
  [3, pageIntents.readDropState],
  [2, pageIntents.unlockDrop],
  [2, pageIntents.showOwnerPage],
  [10, badInput],
]);

/** Intents about teams, their people and tokens, and moves of drops. */
const anyTeamIntent: fc.Arbitrary<Intent> = inEveryWay([
  [10, teamIntents.moveDrop],
  [4, teamIntents.setTeamRole],
  [3, teamIntents.removeTeamRole],
  [2, teamIntents.createTeam],
  [2, teamIntents.createTeamToken],
  [2, teamIntents.editTeam],
  [2, teamIntents.getTeam],
  [1, teamIntents.listTeams],
]);

/** All intents of accounts and their visitors, and of people with their teams. */
export const intentOfTeams: fc.Arbitrary<Intent> = fc.oneof(
  { arbitrary: everyIntent, weight: 3 },
  { arbitrary: anyTeamIntent, weight: 1 },
);

/** Mostly writes, to reach a token's limit per minute. */
export const writeIntent: fc.Arbitrary<Intent> = inEveryWay([
  [1, repeatCall],
  [6, dropIntents.editDrop],
  [2, dropIntents.publishDrop],
  [1, dropIntents.listDrops],
  [1, blobIntents.uploadBlob],
  [2, badInput],
]);

/** Writes that may be the last before the service is killed, because their outcome can be read afterwards. */
export const killedIntent: fc.Arbitrary<Intent> = weighted([
  [6, dropIntents.publishDrop],
  [6, dropIntents.publishVersion],
  [4, dropIntents.editDrop],
  [2, dropIntents.deleteDrop],
  [2, dropIntents.undeleteDrop],
  [1, dropIntents.purgeDrop],
  [1, dropIntents.lock],
  [1, dropIntents.unlock],
  [3, dropIntents.deleteVersion],
  [4, blobIntents.uploadShownBlob],
  [2, blobIntents.deleteBlob],
  [2, blobIntents.editBlob],
  [2, blobIntents.startShownUpload],
  [2, blobIntents.sendFile],
  [2, blobIntents.completeUpload],
  [1, accountIntents.revokeToken],
]);

/** Intents of concurrent clients of one account. Each takes effect at one moment. */
export const concurrentIntent: fc.Arbitrary<Intent> = inEveryWay([
  [3, dropIntents.publishDrop],
  [5, dropIntents.upsertDrop],
  [4, repeatCall],
  [2, dropIntents.listDrops],
  [3, dropIntents.getDrop],
  [5, dropIntents.publishVersion],
  [5, dropIntents.editDrop],
  [4, dropIntents.deleteDrop],
  [4, dropIntents.undeleteDrop],
  [1, dropIntents.purgeDrop],
  [2, dropIntents.listVersions],
  [2, dropIntents.getVersion],
  [5, dropIntents.deleteVersion],
  [2, blobIntents.uploadBlob],
  [2, blobIntents.deleteBlob],
  [2, blobIntents.editBlob],
  [2, accountIntents.getUsage],
]);

/** Adds Idempotency-Keys to some intents, and makes some of them with MCP tools. */
function inEveryWay(choices: Parameters<typeof weighted>[0]): fc.Arbitrary<Intent> {
  return someByTool(keyed(weighted(choices)));
}

function weighted(
  choices: readonly (readonly [weight: number, arbitrary: fc.Arbitrary<Intent>])[],
): fc.Arbitrary<Intent> {
  return fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}

import type { OperationId } from "../../functions/routes.ts";
import type { Observation, StepBetween } from "./call.ts";
import {
  confirmSignIn,
  getMe,
  getUsage,
  listTokens,
  pollSignIn,
  revokeToken,
  startSignIn,
} from "./rules/account-rules.ts";
import { admit } from "./rules/admission.ts";
import {
  completeUpload,
  deleteBlob,
  editBlob,
  sendFile,
  startUpload,
  uploadBlob,
} from "./rules/blob-rules.ts";
import {
  deleteDrop,
  editDrop,
  getDrop,
  publishDrop,
  publishVersion,
  setPasscode,
} from "./rules/drop-rules.ts";
import { isAnsweredBefore, withStored } from "./rules/idempotency-rule.ts";
import { listDrops } from "./rules/list-rules.ts";
import {
  readContext,
  readDropState,
  readRawPage,
  serveBlob,
  showOwnerPage,
  viewDrop,
} from "./rules/page-rules.ts";
import type { Rule } from "./rules/rule.ts";
import { keepVersions, passTime, setHold } from "./rules/step-rules.ts";
import { listTrash, purgeDrop, undeleteDrop } from "./rules/trash-rules.ts";
import { unlockDrop } from "./rules/unlock-rule.ts";
import { upsertDrop } from "./rules/upsert-rule.ts";
import { deleteVersion, getVersion, listVersions } from "./rules/version-rules.ts";
import { type AccountState, withShelfLeftovers } from "./state.ts";

const rules: Partial<Record<OperationId | StepBetween, Rule>> = {
  "start-sign-in": startSignIn,
  "confirm-sign-in": confirmSignIn,
  "pass-time": passTime,
  "keep-versions": keepVersions,
  "set-hold": setHold,
  "poll-sign-in": pollSignIn,
  "get-me": getMe,
  "get-usage": getUsage,
  "list-tokens": listTokens,
  "revoke-token": revokeToken,
  "upload-blob": uploadBlob,
  "delete-blob": deleteBlob,
  "edit-blob": editBlob,
  "start-upload": startUpload,
  "send-file": sendFile,
  "complete-upload": completeUpload,
  "serve-blob": serveBlob,
  "list-drops": listDrops,
  "publish-drop": publishDrop,
  "upsert-drop": upsertDrop,
  "get-drop": getDrop,
  "publish-version": publishVersion,
  "edit-drop": editDrop,
  "delete-drop": deleteDrop,
  "list-trash": listTrash,
  "undelete-drop": undeleteDrop,
  "purge-drop": purgeDrop,
  "set-passcode": setPasscode,
  "list-versions": listVersions,
  "get-version": getVersion,
  "delete-version": deleteVersion,
  "view-drop": viewDrop,
  "read-raw-page": readRawPage,
  "read-context": readContext,
  "read-drop-state": readDropState,
  "unlock-drop": unlockDrop,
  "show-owner-page": showOwnerPage,
};

/** How long the edge may serve an outdated owner's page, including responses in transit. */
export const shelfKeptMs = 3_000;

/**
 * The model: checks a response against the account before the call, and returns the account after it.
 *
 * @throws if the response is not the expected one
 */
export function judge(before: AccountState, observation: Observation): AccountState {
  const { state, isIn } = admit(before, observation);
  if (!isIn) return state;
  if (isAnsweredBefore(state, observation)) return state;
  const rule = rules[observation.call.operation];
  if (rule === undefined) throw new Error(`The model has no rule for ${observation.call.operation}.`);
  const after = withStored(state, rule(state, observation), observation);
  return withShelfLeftovers(state, after, observation.answeredAtMs + shelfKeptMs);
}

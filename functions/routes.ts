import { getMeRoute, getUsageRoute, listTokensRoute, revokeTokenRoute } from "./accounts/rows.ts";
import {
  completeUploadRoute,
  deleteBlobRoute,
  serveBlobRoute,
  startUploadRoute,
  uploadBlobRoute,
} from "./blobs/rows.ts";
import {
  listAgentSkillsRoute,
  readAgentSkillRoute,
  readApiCatalogRoute,
  readLlmsTxtRoute,
  readOnboardingRoute,
  readOpenApiRoute,
  readReferenceAssetRoute,
  readRobotsTxtRoute,
  readSecurityTxtRoute,
  showReferenceRoute,
} from "./discovery/rows.ts";
import {
  deleteDropRoute,
  editDropRoute,
  getDropRoute,
  listDropsRoute,
  publishDropRoute,
  publishVersionRoute,
  setPasscodeRoute,
  upsertDropRoute,
} from "./drops/rows.ts";
import { deleteVersionRoute, getVersionRoute, listVersionsRoute } from "./drops/version-rows.ts";
import { callMcpRoute } from "./mcp/rows.ts";
import {
  answerNotFoundRoute,
  readContextRoute,
  readRawPageRoute,
  showHomePageRoute,
  showOwnerPageRoute,
  unlockDropRoute,
  viewDropRoute,
} from "./pages/rows.ts";
import type { Grants, Route } from "./platform/route.ts";
import {
  authorizeSignInRoute,
  completeSignInRoute,
  pollSignInRoute,
  revealTokenRoute,
  showLoginPageRoute,
  showTokenPageRoute,
  showVerifyPageRoute,
  startBrowserSignInRoute,
  startSignInRoute,
  undoSignInRoute,
} from "./sign-in/rows.ts";

/**
 * The operations of the service, one row each: section "Endpoints" of the specification as data. The stack builds
 * functions, paths and permissions from these rows; the Lambda wrapper authenticates, limits and parses by them.
 * The key is the operation's id and the file name of its handler. A handler imports its own row only, so that its
 * bundle holds no other.
 */
export const routes = {
  "start-sign-in": startSignInRoute,
  "poll-sign-in": pollSignInRoute,
  "show-verify-page": showVerifyPageRoute,
  "authorize-sign-in": authorizeSignInRoute,
  "complete-sign-in": completeSignInRoute,
  "show-login-page": showLoginPageRoute,
  "start-browser-sign-in": startBrowserSignInRoute,
  "show-token-page": showTokenPageRoute,
  "reveal-token": revealTokenRoute,
  "undo-sign-in": undoSignInRoute,
  "get-me": getMeRoute,
  "get-usage": getUsageRoute,
  "list-tokens": listTokensRoute,
  "revoke-token": revokeTokenRoute,
  "upload-blob": uploadBlobRoute,
  "delete-blob": deleteBlobRoute,
  "start-upload": startUploadRoute,
  "complete-upload": completeUploadRoute,
  "serve-blob": serveBlobRoute,
  "list-drops": listDropsRoute,
  "publish-drop": publishDropRoute,
  "upsert-drop": upsertDropRoute,
  "get-drop": getDropRoute,
  "publish-version": publishVersionRoute,
  "edit-drop": editDropRoute,
  "delete-drop": deleteDropRoute,
  "set-passcode": setPasscodeRoute,
  "list-versions": listVersionsRoute,
  "get-version": getVersionRoute,
  "delete-version": deleteVersionRoute,
  "view-drop": viewDropRoute,
  "read-raw-page": readRawPageRoute,
  "read-context": readContextRoute,
  "unlock-drop": unlockDropRoute,
  "show-home-page": showHomePageRoute,
  "show-owner-page": showOwnerPageRoute,
  "read-open-api": readOpenApiRoute,
  "show-reference": showReferenceRoute,
  "read-reference-asset": readReferenceAssetRoute,
  "read-llms-txt": readLlmsTxtRoute,
  "read-onboarding": readOnboardingRoute,
  "list-agent-skills": listAgentSkillsRoute,
  "read-agent-skill": readAgentSkillRoute,
  "read-api-catalog": readApiCatalogRoute,
  "read-robots-txt": readRobotsTxtRoute,
  "read-security-txt": readSecurityTxtRoute,
  "call-mcp": callMcpRoute,
  "answer-not-found": answerNotFoundRoute,
} as const satisfies Record<string, Route>;

/** The id of an operation: the key of its row. */
export type OperationId = keyof typeof routes;

/** The ids in the table's order. */
export const operationIds = /* @__PURE__ */ Object.keys(routes) as OperationId[];

/** A row, with the optional columns visible. */
export function routeOf(id: OperationId): Route {
  return routes[id];
}

/** What a row's function may touch: what the row grants, and what the rows grant whose operations it carries out. */
export function grantsOf(id: OperationId): readonly Grants[] {
  const { grants, performs = [] } = routeOf(id);
  return [grants, ...performs.map((performed) => routeOf(performed as OperationId).grants)];
}

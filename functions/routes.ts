import * as accessPages from "./access-requests/page-rows.ts";
import * as accessRequests from "./access-requests/rows.ts";
import * as accountAnswers from "./account/answer-rows.ts";
import * as accountFiles from "./account/file-rows.ts";
import * as accountPages from "./account/page-rows.ts";
import * as accounts from "./account/rows.ts";
import * as accountTeams from "./account/team-rows.ts";
import * as administration from "./administration/rows.ts";
import * as answerPages from "./answers/page-rows.ts";
import * as answers from "./answers/rows.ts";
import * as blobs from "./blobs/rows.ts";
import * as comparison from "./comparison/rows.ts";
import * as discovery from "./discovery/rows.ts";
import * as folders from "./drops/folder-rows.ts";
import * as drops from "./drops/rows.ts";
import * as trash from "./drops/trash-rows.ts";
import * as versions from "./drops/version-rows.ts";
import * as feedbackPages from "./feedback/page-rows.ts";
import * as feedback from "./feedback/rows.ts";
import * as gate from "./gate/rows.ts";
import { actingGrants, type Route } from "./http/route.ts";
import * as signIn from "./identity/rows.ts";
import * as library from "./library/rows.ts";
import * as mcp from "./mcp/rows.ts";
import * as oauth from "./oauth/rows.ts";
import * as owners from "./owner-page/rows.ts";
import * as renders from "./renders/rows.ts";
import * as scim from "./scim/rows.ts";
import * as search from "./search/rows.ts";
import * as slack from "./slack/rows.ts";
import type { Grants } from "./table/grants.ts";
import * as teams from "./teams/rows.ts";
import * as pages from "./viewer/rows.ts";

/**
 * Definitions of all operations, as in section "Endpoints" of the specification. The stack creates functions, paths and permissions from
 * these definitions, and the functions use their own definition to authenticate callers, apply limits and parse requests. Each key is the
 * operation's id and its handler's file name. Documents list the operations in this order. A handler imports only its own definition, to
 * keep its bundle small.
 */
export const routes = {
  "start-sign-in": signIn.startSignInRoute,
  "poll-sign-in": signIn.pollSignInRoute,
  "show-verify-page": signIn.showVerifyPageRoute,
  "authorize-sign-in": signIn.authorizeSignInRoute,
  "complete-sign-in": signIn.completeSignInRoute,
  "choose-account": signIn.chooseAccountRoute,
  "show-login-page": signIn.showLoginPageRoute,
  "start-browser-sign-in": signIn.startBrowserSignInRoute,
  "show-token-page": signIn.showTokenPageRoute,
  "reveal-token": signIn.revealTokenRoute,
  "undo-sign-in": signIn.undoSignInRoute,
  "admit-reader": signIn.admitReaderRoute,
  "sign-out-reader": signIn.signOutReaderRoute,
  "get-me": accounts.getMeRoute,
  "get-usage": accounts.getUsageRoute,
  "list-tokens": accounts.listTokensRoute,
  "revoke-token": accounts.revokeTokenRoute,
  "list-blobs": blobs.listBlobsRoute,
  "get-blob": blobs.getBlobRoute,
  "upload-blob": blobs.uploadBlobRoute,
  "delete-blob": blobs.deleteBlobRoute,
  "edit-blob": blobs.editBlobRoute,
  "start-upload": blobs.startUploadRoute,
  "complete-upload": blobs.completeUploadRoute,
  "serve-blob": blobs.serveBlobRoute,
  "list-drops": drops.listDropsRoute,
  "publish-drop": drops.publishDropRoute,
  "upsert-drop": drops.upsertDropRoute,
  "start-publish": drops.startPublishRoute,
  "send-page": drops.sendPageRoute,
  "get-drop": drops.getDropRoute,
  "publish-version": drops.publishVersionRoute,
  "edit-drop": drops.editDropRoute,
  "delete-drop": drops.deleteDropRoute,
  "list-trash": trash.listTrashRoute,
  "undelete-drop": trash.undeleteDropRoute,
  "purge-drop": trash.purgeDropRoute,
  "move-drop": drops.moveDropRoute,
  "set-passcode": drops.setPasscodeRoute,
  "list-reads": drops.listReadsRoute,
  "list-versions": versions.listVersionsRoute,
  "get-version": versions.getVersionRoute,
  "delete-version": versions.deleteVersionRoute,
  "read-html": versions.readHtmlRoute,
  "read-source": versions.readSourceRoute,
  "list-files": folders.listFilesRoute,
  "compare-versions": versions.compareVersionsRoute,
  "get-render": renders.getRenderRoute,
  "get-pdf": renders.getPdfRoute,
  "start-folder": folders.startFolderRoute,
  "publish-folder": folders.publishFolderRoute,
  "restore-version": versions.restoreVersionRoute,
  "list-feedback": feedback.listFeedbackRoute,
  "reply-to-feedback": feedback.replyToFeedbackRoute,
  "resolve-feedback": feedback.resolveFeedbackRoute,
  "delete-feedback": feedback.deleteFeedbackRoute,
  "list-answers": answers.listAnswersRoute,
  "export-answers": answers.exportAnswersRoute,
  "delete-answer": answers.deleteAnswerRoute,
  "delete-answers": answers.deleteAnswersRoute,
  "list-access-requests": accessRequests.listAccessRequestsRoute,
  "dismiss-access-request": accessRequests.dismissAccessRequestRoute,
  "list-teams": teams.listTeamsRoute,
  "create-team": teams.createTeamRoute,
  "get-team": teams.getTeamRoute,
  "edit-team": teams.editTeamRoute,
  "set-team-role": teams.setTeamRoleRoute,
  "remove-team-role": teams.removeTeamRoleRoute,
  "create-team-token": teams.createTeamTokenRoute,
  "list-library": library.listLibraryRoute,
  "search-drops": search.searchDropsRoute,
  "show-library": library.showLibraryRoute,
  "view-drop": pages.viewDropRoute,
  "read-raw-page": pages.readRawPageRoute,
  "read-folder-file": pages.readFolderFileRoute,
  "show-comparison": comparison.showComparisonRoute,
  "show-feedback": feedbackPages.showFeedbackRoute,
  "send-feedback": feedbackPages.sendFeedbackRoute,
  "send-answer": answerPages.sendAnswerRoute,
  "request-access": accessPages.requestAccessRoute,
  "read-answer-results": answerPages.readAnswerResultsRoute,
  "read-pdf": pages.readPdfRoute,
  "read-context": pages.readContextRoute,
  "read-drop-state": pages.readDropStateRoute,
  "unlock-drop": gate.unlockDropRoute,
  "return-to-gate": gate.returnToGateRoute,
  "close-gate": gate.closeGateRoute,
  "show-home-page": discovery.showHomePageRoute,
  "show-owner-page": owners.showOwnerPageRoute,
  "show-owner-feed": owners.showOwnerFeedRoute,
  "read-oembed": pages.readOembedRoute,
  "show-account": accountPages.showAccountRoute,
  "switch-account": accountTeams.switchAccountRoute,
  "show-own-drop": accountPages.showOwnDropRoute,
  "edit-own-drop": accountPages.editOwnDropRoute,
  "share-own-drop": accountPages.shareOwnDropRoute,
  "move-own-drop": accountPages.moveOwnDropRoute,
  "delete-own-drop": accountPages.deleteOwnDropRoute,
  "delete-own-version": accountPages.deleteOwnVersionRoute,
  "restore-own-version": accountPages.restoreOwnVersionRoute,
  "show-own-files": accountFiles.showOwnFilesRoute,
  "upload-own-file": accountFiles.uploadOwnFileRoute,
  "edit-own-file": accountFiles.editOwnFileRoute,
  "delete-own-file": accountFiles.deleteOwnFileRoute,
  "decide-access-request": accountPages.decideAccessRequestRoute,
  "show-own-answers": accountAnswers.showOwnAnswersRoute,
  "export-own-answers": accountAnswers.exportOwnAnswersRoute,
  "delete-own-answers": accountAnswers.deleteOwnAnswersRoute,
  "show-own-trash": accountPages.showOwnTrashRoute,
  "undelete-own-drop": accountPages.undeleteOwnDropRoute,
  "purge-own-drop": accountPages.purgeOwnDropRoute,
  "show-own-team": accountTeams.showOwnTeamRoute,
  "edit-own-team": accountTeams.editOwnTeamRoute,
  "show-own-tokens": accountPages.showOwnTokensRoute,
  "revoke-own-token": accountPages.revokeOwnTokenRoute,
  "show-admin": administration.showAdminRoute,
  "create-admin-team": administration.createAdminTeamRoute,
  "show-admin-account": administration.showAdminAccountRoute,
  "change-admin-account": administration.changeAdminAccountRoute,
  "show-admin-drop": administration.showAdminDropRoute,
  "change-admin-drop": administration.changeAdminDropRoute,
  "show-admin-audit": administration.showAdminAuditRoute,
  "read-open-api": discovery.readOpenApiRoute,
  "show-reference": discovery.showReferenceRoute,
  "read-llms-txt": discovery.readLlmsTxtRoute,
  "read-onboarding": discovery.readOnboardingRoute,
  "list-agent-skills": discovery.listAgentSkillsRoute,
  "read-agent-skill": discovery.readAgentSkillRoute,
  "read-resource-metadata": discovery.readResourceMetadataRoute,
  "read-issuer-metadata": discovery.readIssuerMetadataRoute,
  "read-api-catalog": discovery.readApiCatalogRoute,
  "list-mcp-servers": discovery.listMcpServersRoute,
  "read-robots-txt": discovery.readRobotsTxtRoute,
  "read-security-txt": discovery.readSecurityTxtRoute,
  "show-consent": oauth.showConsentRoute,
  "decide-consent": oauth.decideConsentRoute,
  "issue-token": oauth.issueTokenRoute,
  "revoke-grant": oauth.revokeGrantRoute,
  "register-client": oauth.registerClientRoute,
  "call-mcp": mcp.callMcpRoute,
  "call-scim": scim.callScimRoute,
  "receive-slack-event": slack.receiveSlackEventRoute,
  "show-file": blobs.showFileRoute,
  "show-embedded-file": blobs.showEmbeddedFileRoute,
  "show-not-found": discovery.showNotFoundRoute,
} as const satisfies Record<string, Route>;

/** The id of an operation, which is its key in `routes`. */
export type OperationId = keyof typeof routes;

const allIds = /* @__PURE__ */ Object.keys(routes) as OperationId[];

/** The ids of the operations that every stack has, in the order of `routes`. */
export const operationIds = /* @__PURE__ */ allIds.filter((id) => routeOf(id).onlyWith === undefined);

/** The ids of operations that exist only with a setting. */
export const optionalOperationIds = /* @__PURE__ */ allIds.filter((id) => routeOf(id).onlyWith !== undefined);

/** Returns the definition of an operation, with its optional properties. */
export function routeOf(id: OperationId): Route {
  return routes[id];
}

/** Returns the grants of an operation's function: the operation's own grants, and those of other operations that it performs. */
export function grantsOf(id: OperationId): readonly Grants[] {
  const { performs = [] } = routeOf(id);
  const rows = [id, ...(performs as readonly OperationId[])].map(routeOf);
  return [
    ...rows.map(({ grants }) => grants),
    ...(rows.some(({ caller }) => caller === "token") ? [actingGrants] : []),
  ];
}

import * as accessRequests from "../access-requests/rows.ts";
import * as accounts from "../account/rows.ts";
import * as answers from "../answers/rows.ts";
import * as blobs from "../blobs/rows.ts";
import type { McpTool } from "../core/mcp-tool.ts";
import * as drops from "../drops/rows.ts";
import * as trash from "../drops/trash-rows.ts";
import * as versions from "../drops/version-rows.ts";
import * as feedback from "../feedback/rows.ts";
import type { Route } from "../http/route.ts";
import * as signIn from "../identity/rows.ts";
import * as library from "../library/rows.ts";
import * as renders from "../renders/rows.ts";
import * as search from "../search/rows.ts";
import { appTools, mcpTools } from "./tools.ts";

/** A tool of the server, with the id of its operation. */
export type ListedTool = McpTool & (typeof mcpTools | typeof appTools)[number];

/** Id of an operation that has a tool. */
export type ToolOperationId = ListedTool["operation"];

/** Operation definitions of the tools, by operation id. */
export const toolRows: Readonly<Record<ToolOperationId, Route>> = {
  "publish-drop": drops.publishDropRoute,
  "publish-version": drops.publishVersionRoute,
  "upsert-drop": drops.upsertDropRoute,
  "start-publish": drops.startPublishRoute,
  "edit-drop": drops.editDropRoute,
  "list-drops": drops.listDropsRoute,
  "search-drops": search.searchDropsRoute,
  "list-library": library.listLibraryRoute,
  "get-drop": drops.getDropRoute,
  "list-versions": versions.listVersionsRoute,
  "read-html": versions.readDropRow,
  "list-feedback": feedback.listFeedbackToolRow,
  "reply-to-feedback": feedback.replyToFeedbackRoute,
  "resolve-feedback": feedback.resolveFeedbackRoute,
  "list-answers": answers.readAnswersToolRow,
  "list-access-requests": accessRequests.listAccessRequestsRoute,
  "compare-versions": versions.compareVersionsRoute,
  "get-render": renders.seeDropRow,
  "restore-version": versions.restoreVersionRoute,
  "delete-version": versions.deleteVersionRoute,
  "move-drop": drops.moveDropRoute,
  "set-passcode": drops.setPasscodeRoute,
  "delete-drop": drops.deleteDropRoute,
  "list-trash": trash.listTrashRoute,
  "undelete-drop": trash.undeleteDropRoute,
  "list-blobs": blobs.listBlobsRoute,
  "upload-blob": blobs.uploadBlobRoute,
  "start-upload": blobs.startUploadRoute,
  "complete-upload": blobs.completeUploadRoute,
  "delete-blob": blobs.deleteBlobRoute,
  "edit-blob": blobs.editBlobRoute,
  "get-usage": accounts.getUsageRoute,
  "get-me": accounts.getMeRoute,
  "start-sign-in": signIn.startSignInRoute,
  "poll-sign-in": signIn.pollSignInRoute,
};

/** Operations whose response is already tool content instead of data. */
export const contentOperations: readonly ToolOperationId[] = ["read-html", "get-render"];

/** Finds the operation definition of a tool. Returns undefined for an unknown tool. */
export function toolRowOf(toolName: string): Route | undefined {
  const tool = toolOf(toolName);
  return tool && rowOf(tool);
}

/** Returns the operation definition of a tool, with the tool's own query. */
export function rowOf({ operation, query }: ListedTool): Route {
  const row = toolRows[operation];
  return query === undefined ? row : { ...row, query };
}

/** Finds a tool by its name. */
export function toolOf(toolName: string): ListedTool | undefined {
  return [...mcpTools, ...appTools].find(({ name }) => name === toolName);
}

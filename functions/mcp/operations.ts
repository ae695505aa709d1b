import { getMe } from "../account/get-me.ts";
import { getUsage } from "../account/get-usage.ts";
import { completeUpload } from "../blobs/complete-upload.ts";
import { deleteBlob } from "../blobs/delete-blob.ts";
import { editBlob } from "../blobs/edit-blob.ts";
import { listBlobs } from "../blobs/list-blobs.ts";
import { startUpload } from "../blobs/start-upload.ts";
import { uploadBlob } from "../blobs/upload-blob.ts";
import { compareVersions } from "../drops/compare-versions.ts";
import { deleteDrop } from "../drops/delete-drop.ts";
import { deleteVersion } from "../drops/delete-version.ts";
import { editDrop } from "../drops/edit-drop.ts";
import { getDrop } from "../drops/get-drop.ts";
import { listDrops } from "../drops/list-drops.ts";
import { listTrash } from "../drops/list-trash.ts";
import { listVersions } from "../drops/list-versions.ts";
import { publishDrop } from "../drops/publish-drop.ts";
import { publishVersion } from "../drops/publish-version.ts";
import { readDrop } from "../drops/read-drop.ts";
import { restoreVersion } from "../drops/restore-version.ts";
import { setPasscode } from "../drops/set-passcode.ts";
import { startPublish } from "../drops/start-publish.ts";
import { undeleteDrop } from "../drops/undelete-drop.ts";
import { upsertDrop } from "../drops/upsert-drop.ts";
import { listFeedbackTool } from "../feedback/list-feedback-tool.ts";
import { replyToFeedback } from "../feedback/reply-to-feedback.ts";
import { resolveFeedback } from "../feedback/resolve-feedback.ts";
import type { McpTool } from "../http/mcp-tool.ts";
import type { Operation } from "../http/operation.ts";
import { pollSignIn } from "../identity/poll-sign-in.ts";
import { startSignIn } from "../identity/start-sign-in.ts";
import { listLibrary } from "../library/list-library.ts";
import { seeDrop } from "../renders/see-drop.ts";
import { searchDrops } from "../search/search-drops.ts";
import { mcpTools } from "./tools.ts";

type PerformedId = (typeof mcpTools)[number]["operation"];

/** The same operations that have functions of their own, by the ids of their rows. */
export const operations: Readonly<Record<PerformedId, Operation>> = {
  "publish-drop": publishDrop,
  "publish-version": publishVersion,
  "upsert-drop": upsertDrop,
  "start-publish": startPublish,
  "edit-drop": editDrop,
  "list-drops": listDrops,
  "search-drops": searchDrops,
  "list-library": listLibrary,
  "get-drop": getDrop,
  "list-versions": listVersions,
  "read-html": readDrop,
  "list-feedback": listFeedbackTool,
  "reply-to-feedback": replyToFeedback,
  "resolve-feedback": resolveFeedback,
  "compare-versions": compareVersions,
  "get-render": seeDrop,
  "restore-version": restoreVersion,
  "delete-version": deleteVersion,
  "set-passcode": setPasscode,
  "delete-drop": deleteDrop,
  "list-trash": listTrash,
  "undelete-drop": undeleteDrop,
  "list-blobs": listBlobs,
  "upload-blob": uploadBlob,
  "start-upload": startUpload,
  "complete-upload": completeUpload,
  "delete-blob": deleteBlob,
  "edit-blob": editBlob,
  "get-usage": getUsage,
  "get-me": getMe,
  "start-sign-in": startSignIn,
  "poll-sign-in": pollSignIn,
};

/** Those that give a tool's content themselves, in place of data. */
export const contentOperations: readonly Operation[] = [readDrop, seeDrop];

/** The operation of a tool; undefined for an unknown tool. */
export function operationOf(toolName: string): Operation | undefined {
  const tool = toolOf(toolName);
  return tool && operations[tool.operation];
}

/** A tool by its name; undefined where there is none. */
export function toolOf(toolName: string): (McpTool & (typeof mcpTools)[number]) | undefined {
  return mcpTools.find(({ name }) => name === toolName);
}

/** A method and an address as messages name them, with or without a query. */
const address = /`?\b(GET|POST|PUT|PATCH|DELETE) (\/api\/[\w{}/-]*[\w}])(\?[\w=&.<>-]*[\w>…])?`?/g;

/** Replaces methods and paths in a message by the tools that do the same. */
export function withToolNames(text: string): string {
  return text.replace(address, (whole, method: string, path: string) => {
    const tool = mcpTools.find(({ operation }) => {
      const { route } = operations[operation];
      return route.method === method && new RegExp(`^${route.path.replace(/\{\w+\}/g, "[^/]+")}$`).test(path);
    });
    return tool?.name ?? whole;
  });
}

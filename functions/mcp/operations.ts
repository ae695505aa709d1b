import { mcpTools } from "../contract/mcp-tools.ts";
import { getMe } from "../handlers/account/get-me.ts";
import { getUsage } from "../handlers/account/get-usage.ts";
import { pollSignIn } from "../handlers/auth/poll-sign-in.ts";
import { startSignIn } from "../handlers/auth/start-sign-in.ts";
import { completeUpload } from "../handlers/blobs/complete-upload.ts";
import { deleteBlob } from "../handlers/blobs/delete-blob.ts";
import { startUpload } from "../handlers/blobs/start-upload.ts";
import { uploadBlob } from "../handlers/blobs/upload-blob.ts";
import { deleteDrop } from "../handlers/drops/delete-drop.ts";
import { editDrop } from "../handlers/drops/edit-drop.ts";
import { getDrop } from "../handlers/drops/get-drop.ts";
import { listDrops } from "../handlers/drops/list-drops.ts";
import { publishDrop } from "../handlers/drops/publish-drop.ts";
import { publishVersion } from "../handlers/drops/publish-version.ts";
import { setPasscode } from "../handlers/drops/set-passcode.ts";
import { upsertDrop } from "../handlers/drops/upsert-drop.ts";
import { deleteVersion } from "../handlers/versions/delete-version.ts";
import { listVersions } from "../handlers/versions/list-versions.ts";
import type { Operation } from "../http/operation.ts";

type PerformedId = (typeof mcpTools)[number]["operation"];

/** The same operations that have functions of their own, by their ids. */
const operations: Readonly<Record<PerformedId, Operation>> = {
  "publish-drop": publishDrop,
  "publish-version": publishVersion,
  "upsert-drop": upsertDrop,
  "edit-drop": editDrop,
  "list-drops": listDrops,
  "get-drop": getDrop,
  "list-versions": listVersions,
  "delete-version": deleteVersion,
  "set-passcode": setPasscode,
  "delete-drop": deleteDrop,
  "upload-blob": uploadBlob,
  "start-upload": startUpload,
  "complete-upload": completeUpload,
  "delete-blob": deleteBlob,
  "get-usage": getUsage,
  "get-me": getMe,
  "start-sign-in": startSignIn,
  "poll-sign-in": pollSignIn,
};

/** The operation behind a tool; undefined where there is no such tool. */
export function operationOf(toolName: string): Operation | undefined {
  const tool = mcpTools.find(({ name }) => name === toolName);
  return tool && operations[tool.operation];
}

import type { ArgumentMeanings, McpTool } from "../core/mcp-tool.ts";

/** Short descriptions of the tools' arguments. */
export const argumentMeanings: ArgumentMeanings = {
  base64: "Any other file",
  content_type: "Type",
  filename: "Like chart.png",
  id: "File id",
  size_bytes: "Exact size",
  text: "A text file",
};

/** Tools for files, in the order that agents see. */
export const tools = [
  {
    name: "list_blobs",
    title: "List files",
    operation: "list-blobs",
    description: "List your files.",
    unlistedArguments: ["page", "pageSize"],
  },
  {
    name: "upload_blob",
    title: "Upload file",
    operation: "upload-blob",
    description: "Upload a file up to 2.2 MB; larger: start_upload.",
    unlistedArguments: ["allow_secrets", "readers", "expires_at", "expires_in_days"],
  },
  {
    name: "start_upload",
    title: "Start upload",
    operation: "start-upload",
    description: "Upload up to 25 MiB as the response says, then call complete_upload.",
    unlistedArguments: ["visibility", "readers", "expires_at", "expires_in_days"],
  },
  {
    name: "complete_upload",
    title: "Complete upload",
    operation: "complete-upload",
    description: "Complete a started upload.",
    unlistedArguments: ["allow_secrets"],
    isIdempotent: true,
  },
  {
    name: "delete_blob",
    title: "Delete file",
    operation: "delete-blob",
    description: "Delete a file: ask the human first.",
  },
  {
    name: "edit_blob",
    title: "Edit file",
    operation: "edit-blob",
    description: "Change a file's readers or expiry.",
    unlistedArguments: ["expires_at", "expires_in_days"],
  },
] as const satisfies readonly McpTool[];

import type { ArgumentMeanings, McpTool } from "../http/mcp-tool.ts";

/** Meanings of the arguments of these tools; undefined where name, type and choices say it. */
export const argumentMeanings: ArgumentMeanings = {
  base64: "Any other file, without line ends.",
  content_type: "Its media type.",
  filename: "Letters, digits, dashes, dots and spaces.",
  text: "A text file's content.",
  id: undefined,
  size_bytes: undefined,
};

/** Meanings of the readers' arguments, empty here because publish_drop describes them. */
const saidOfReaders = { visibility: "", readers: "" };

/** Tools of this feature, in the order that agents see. */
export const tools = [
  {
    name: "list_blobs",
    operation: "list-blobs",
    description: "List the account's files, newest first.",
    meanings: { pageSize: "" },
    isReadOnly: true,
  },
  {
    name: "upload_blob",
    operation: "upload-blob",
    description:
      "Upload a file of up to 2.2 MB to a permanent public `url`: images, video and audio for pages, the rest as downloads. Larger: start_upload.",
    meanings: saidOfReaders,
  },
  {
    name: "start_upload",
    operation: "start-upload",
    description:
      "Upload a file of up to 25 MiB: send it by the method, url and headers of the response, then call complete_upload.",
    meanings: { ...saidOfReaders, filename: "", content_type: "" },
  },
  {
    name: "complete_upload",
    operation: "complete-upload",
    description: "Finish what start_upload began.",
  },
  {
    name: "delete_blob",
    operation: "delete-blob",
    description: "Delete a file for good: ask the human before.",
    isDestructive: true,
  },
  {
    name: "edit_blob",
    operation: "edit-blob",
    description: "Change who may read a file. Restricted files appear only in restricted pages.",
    meanings: saidOfReaders,
    isDestructive: true,
  },
] as const satisfies readonly McpTool[];

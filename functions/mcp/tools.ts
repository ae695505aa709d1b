/** A tool of the MCP server: an operation under the name that agents call it by. */
export interface McpTool {
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** The id of the operation's row. */
  readonly operation: string;
  /** What there is to know beyond the row's one line, in words that name tools and no HTTP. @default - nothing */
  readonly note?: string;
  /** Whether a call changes anything. @default false */
  readonly isReadOnly?: true;
  /** Whether it may overwrite or remove what is there. @default false */
  readonly isDestructive?: true;
  /** Whether the same call again changes no more. @default false */
  readonly isIdempotent?: true;
}

/** Every tool, in the order that agents see. */
export const mcpTools = [
  {
    name: "publish_drop",
    title: "Publish a page",
    operation: "publish-drop",
    note: "For a page that has no drop yet: look with list_drops first. The response's `url` is permanent; give it to the human. Keep `slug`, or tag the drop with `metadata`, to publish further versions.",
  },
  {
    name: "update_drop",
    title: "Publish a new version",
    operation: "publish-version",
    note: "The drop's address stays, readers see the new version at once, and earlier versions stay readable. Title, description and metadata may come along.",
  },
  {
    name: "upsert_drop",
    title: "Publish or update by tags",
    operation: "upsert-drop",
    note: "Looks up, then publishes, in one call: `metadata`, such as `project`, says which drop is meant, and a new drop gets it. Where several match, it changes none.",
    isDestructive: true,
  },
  {
    name: "edit_drop",
    title: "Edit title, tags or visibility",
    operation: "edit-drop",
    note: "Makes no new version. Fields that are absent stay as they are; `metadata` and `readers` replace what was there.",
    isDestructive: true,
    isIdempotent: true,
  },
  {
    name: "list_drops",
    title: "List pages",
    operation: "list-drops",
    note: "To keep one address across pushes, filter by metadata of your own, such as `project`: where a drop matches, call update_drop with its slug, otherwise publish_drop.",
    isReadOnly: true,
    isIdempotent: true,
  },
  {
    name: "list_library",
    title: "List what others share",
    operation: "list-library",
    note: "Pages of others that this account's human may read; `own` marks the account's own among them. The title of a locked page is null. To read one, give the human its `url`.",
    isReadOnly: true,
    isIdempotent: true,
  },
  { name: "get_drop", title: "Look at a page", operation: "get-drop", isReadOnly: true, isIdempotent: true },
  {
    name: "list_versions",
    title: "List a page's versions",
    operation: "list-versions",
    isReadOnly: true,
    isIdempotent: true,
  },
  {
    name: "delete_version",
    title: "Delete a version",
    operation: "delete-version",
    note: "The last version stays: call delete_drop instead. Ask the human before: it cannot be undone.",
    isDestructive: true,
    isIdempotent: true,
  },
  {
    name: "lock_drop",
    title: "Lock or unlock a page",
    operation: "set-passcode",
    note: "A gate for passers-by, not encryption. The passcode is never shown again: tell it to the human.",
    isDestructive: true,
    isIdempotent: true,
  },
  {
    name: "delete_drop",
    title: "Delete a page",
    operation: "delete-drop",
    note: "Ask the human before: it cannot be undone, and the address is never given to another drop.",
    isDestructive: true,
    isIdempotent: true,
  },
  {
    name: "upload_blob",
    title: "Upload a small file",
    operation: "upload-blob",
    note: "Give its content as `text` or as `base64`. The response's `url` is permanent, and public unless `visibility` says otherwise; images, video and audio are shown in place there, every other file is a download.",
  },
  {
    name: "start_upload",
    title: "Start a large upload",
    operation: "start-upload",
    note: "Send the file there by HTTP with the response's method and headers, for example by curl, then call complete_upload.",
  },
  {
    name: "complete_upload",
    title: "Complete a large upload",
    operation: "complete-upload",
    isIdempotent: true,
  },
  {
    name: "delete_blob",
    title: "Delete a file",
    operation: "delete-blob",
    note: "Ask the human before: it cannot be undone.",
    isDestructive: true,
    isIdempotent: true,
  },
  {
    name: "edit_blob",
    title: "Change who may read a file",
    operation: "edit-blob",
    note: "`readers` replace those before. A file for some readers shows in pages for some readers of the same owner, to those who may read the page.",
    isDestructive: true,
    isIdempotent: true,
  },
  { name: "get_usage", title: "Look at usage", operation: "get-usage", isReadOnly: true, isIdempotent: true },
  { name: "whoami", title: "Who am I", operation: "get-me", isReadOnly: true, isIdempotent: true },
  {
    name: "start_sign_in",
    title: "Sign in",
    operation: "start-sign-in",
    note: "For when there is no API token. Show the human `verification_url` and `code`; they open the page, compare the code and sign in. Meanwhile call poll_sign_in.",
  },
  {
    name: "poll_sign_in",
    title: "Finish signing in",
    operation: "poll-sign-in",
    note: "Ask every `poll_interval` seconds while the status is `pending`, with the `poll_token` as `token`. The first `verified` answer holds `api_token`, which is never shown again: put it at once into the configuration of this MCP server as the header `Authorization: Bearer <api_token>`, or ask the human to, then reconnect. Print it nowhere else, and put it into no page.",
  },
] as const satisfies readonly McpTool[];

import { page, type Sent, type WrongCall } from "./wrong-call.ts";

const { title, html } = page;

function message(method: string, params: unknown): Sent {
  return {
    json: { jsonrpc: "2.0", id: 1, method, params },
    headers: { accept: "application/json, text/event-stream" },
  };
}

/** A call of a tool, whose result says what is right. */
function tool(what: string, name: string, args: object, hint: RegExp): WrongCall {
  return {
    what,
    call: "POST /mcp",
    sent: message("tools/call", { name, arguments: args }),
    status: 200,
    hint,
  };
}

/** A message that names no tool, or its arguments otherwise. */
function messaged(what: string, method: string, params: unknown, hint: RegExp): WrongCall {
  return { what, call: "POST /mcp", sent: message(method, params), status: 200, hint };
}

/** Calls of tools with other names, arguments and values. */
export const wrongToolCalls: readonly WrongCall[] = [
  messaged("a tool as the method", "publish_drop", page, /tools\/call/),
  messaged("a method with a dot", "tools.list", {}, /Did you mean tools\/list/),
  messaged("a method as a function", "listTools", {}, /Did you mean tools\/list/),
  messaged("a method that there is not", "prompts/list", {}, /The methods are initialize/),
  messaged("a drop as a resource", "resources/read", { uri: "drop://{slug}" }, /tools\/call.*read_drop/),
  tool("a version to delete", "delete_drop", { slug: "{slug}", version: 1 }, /delete_version/),
  tool("a trial of a deletion", "delete_drop", { slug: "{slug}", dry_run: true }, /"dry_run".*refused/),
  tool("a draft", "publish_drop", { ...page, status: "draft" }, /no drafts/),
  messaged("the tool set_password", "tools/call", { name: "set_password", arguments: {} }, /lock_drop/),
  messaged("the tool upload_file", "tools/call", { name: "upload_file", arguments: {} }, /upload_blob/),
  messaged(
    "the tool diff_versions",
    "tools/call",
    { name: "diff_versions", arguments: {} },
    /compare_versions/,
  ),
  messaged("the tool share_drop", "tools/call", { name: "share_drop", arguments: {} }, /edit_drop/),
  messaged(
    "the tool reply_to_comment",
    "tools/call",
    { name: "reply_to_comment", arguments: {} },
    /reply_to_feedback/,
  ),
  messaged("the tool screenshot", "tools/call", { name: "screenshot", arguments: {} }, /see_drop/),
  messaged("the tool create_token", "tools/call", { name: "create_token", arguments: {} }, /start_sign_in/),
  messaged("the tool fetch", "tools/call", { name: "fetch", arguments: {} }, /read_drop/),
  messaged("the tool create_page", "tools/call", { name: "create_page", arguments: {} }, /publish_drop/),
  messaged("the tool getHtml", "tools/call", { name: "getHtml", arguments: {} }, /read_drop/),
  messaged("the tool rollback", "tools/call", { name: "rollback", arguments: {} }, /restore_version/),
  messaged("the tool list_drop", "tools/call", { name: "list_drop", arguments: {} }, /list_drops/),
  messaged("a tool of another name", "tools/call", { name: "publish", arguments: page }, /publish_drop/),
  messaged(
    "arguments under another name",
    "tools/call",
    { name: "list_drops", input: {} },
    /params\.input.*params\.arguments/,
  ),
  messaged(
    "a tool and arguments under other names",
    "tools/call",
    { tool: "list_drops", args: {} },
    /params\.name.*params\.arguments/,
  ),
  tool(
    "a file by the names of the protocol",
    "upload_blob",
    { filename: "a.png", data: "aGk=", mimeType: "image/png" },
    /"data".*base64.*content_type/,
  ),
  tool(
    "a file's type by another name",
    "upload_blob",
    { filename: "a.png", base64: "aGk=", mimeType: "image/png" },
    /"mimeType".*content_type/,
  ),
  tool(
    "a private file",
    "upload_blob",
    { filename: "a.txt", text: "a", private: true },
    /"private".*visibility/,
  ),
  tool(
    "a file by its url",
    "delete_blob",
    { id: "http://a.example/b/aaaaaaa" },
    /last ones of the file's url/,
  ),
  messaged("arguments as text", "tools/call", { name: "list_drops", arguments: "{}" }, /record|object/),
  tool("a page by another name", "publish_drop", { title, content: html }, /"content".*"html"/),
  tool("a title by another name", "publish_drop", { html, name: title }, /"name".*"title"/),
  tool("fields under a name", "publish_drop", { drop: page }, /"drop".*top level/),
  tool("private", "publish_drop", { ...page, private: true }, /visibility/),
  tool("a password", "publish_drop", { ...page, password: "open sesame" }, /"passcode"/),
  tool("upsert", "publish_drop", { ...page, upsert: true }, /upsert_drop/),
  tool("tags to publish", "publish_drop", { ...page, metadata: ["a"] }, /metadata.*object/),
  tool("files", "publish_drop", { title, files: { "index.html": html } }, /one HTML page.*upload_blob/),
  tool(
    "an upsert by tags of another name",
    "upsert_drop",
    { ...page, tags: { project: "a" } },
    /"tags".*metadata: \{"project"/,
  ),
  tool("an upsert by nothing", "upsert_drop", page, /metadata/),
  tool("a page by its id", "get_drop", { id: "{slug}" }, /"id".*"slug"/),
  tool("a page by its url, under that name", "get_drop", { url: "{url}" }, /"url".*"slug"/),
  tool("no page", "get_drop", {}, /slug is required/),
  tool("a page by its title", "get_drop", { slug: "Quarterly report" }, /list_drops/),
  tool("a new version by its id", "update_drop", { drop_id: "{slug}", html }, /"drop_id".*"slug"/),
  tool("a page to edit with html", "edit_drop", { slug: "{slug}", html }, /update_drop/),
  tool("a tag to remove", "edit_drop", { slug: "{slug}", metadata: { walk: null } }, /without it/),
  tool("a search", "list_drops", { query: "report" }, /metadata/),
  tool("a title to find", "list_drops", { title: "A page" }, /call search_drops/),
  tool("tags to find", "list_drops", { tags: { project: "a" } }, /metadata: \{"project"/),
  tool("a limit", "list_drops", { limit: 5 }, /pageSize/),
  tool("a version by another name", "read_drop", { slug: "{slug}", v: 1 }, /"v".*"version"/),
  tool("versions to compare", "compare_versions", { slug: "{slug}", a: 1, b: 2 }, /"from" and "to"/),
  tool("a version to delete by another name", "delete_version", { slug: "{slug}", v: 1 }, /"v".*"version"/),
  tool("no version to delete", "delete_version", { slug: "{slug}" }, /version is required/),
  tool(
    "a version to restore by another name",
    "restore_version",
    { slug: "{slug}", to: 1 },
    /"to".*"version"/,
  ),
  tool(
    "a password to lock",
    "lock_drop",
    { slug: "{slug}", password: "open sesame" },
    /"password".*"passcode"/,
  ),
  tool(
    "a reply by another name",
    "reply_to_feedback",
    { slug: "{slug}", thread: 1, message: "Done." },
    /"text"/,
  ),
  tool(
    "a thread by another name",
    "reply_to_feedback",
    { slug: "{slug}", thread_id: 1, text: "Done." },
    /"thread_id".*"thread"/,
  ),
  tool(
    "a resolution by another name",
    "resolve_feedback",
    { slug: "{slug}", thread: 1, resolved: true },
    /"resolved"/,
  ),
  tool(
    "a file's content by another name",
    "upload_blob",
    { filename: "a.txt", content: "a" },
    /text or as base64/,
  ),
  tool("a file's name by another name", "upload_blob", { name: "a.txt", text: "a" }, /"name".*"filename"/),
  tool("a file by another name", "delete_blob", { blob_id: "aaaaaaa" }, /"blob_id".*"id"/),
  tool("a poll by another name", "poll_sign_in", { poll_token: "{poll}" }, /"poll_token".*"token"/),
  messaged(
    "a client's name of a tool",
    "tools/call",
    { name: "mcp__dropleaf__publish_drop", arguments: {} },
    /Did you mean publish_drop/,
  ),
  messaged(
    "a tool with the server's name",
    "tools/call",
    { name: "dropleaf.list_drops", arguments: {} },
    /Did you mean list_drops/,
  ),
  messaged("a tool of gists", "tools/call", { name: "create_gist", arguments: {} }, /publish_drop with/),
  messaged("a tool to rename", "tools/call", { name: "rename_drop", arguments: {} }, /edit_drop with/),
  messaged(
    "a tool for contents",
    "tools/call",
    { name: "get_page_content", arguments: {} },
    /read_drop with/,
  ),
  messaged("a tool for pictures", "tools/call", { name: "take_screenshot", arguments: {} }, /see_drop with/),
  tool("a confirmed deletion", "delete_drop", { slug: "{slug}", confirm: true }, /without a question/),
  tool(
    "a file from elsewhere",
    "upload_blob",
    { filename: "a.png", url: "https://a.example" },
    /"url".*fetches addresses/,
  ),
  tool("a file by its name", "delete_blob", { filename: "a.txt" }, /list_blobs/),
  tool("a page of versions", "list_versions", { slug: "{slug}", page: 2 }, /all of it at once/),
  tool(
    "metadata as a parameter",
    "publish_drop",
    { ...page, "metadata.team": "a" },
    /"metadata": \{"team": …\}/,
  ),
  messaged("a tool to copy", "tools/call", { name: "copy_drop", arguments: {} }, /publishes a copy/),
  messaged("a tool for folders", "tools/call", { name: "move_drop", arguments: {} }, /no folders/),
  messaged(
    "a tool that revokes",
    "tools/call",
    { name: "revoke_token", arguments: {} },
    /DELETE \/api\/tokens\/\{id\}/,
  ),
  tool("an edit of nothing", "edit_drop", { slug: "{slug}", name: "A" }, /Did you mean \\?"title/),
  tool("Markdown as a field", "publish_drop", { markdown: "# A" }, /send it as \\?"html\\?", rendered\./),
  messaged("a page of the tools", "tools/list", { cursor: "page2" }, /params\.cursor.*one page/),
  messaged("drops as resources", "resources/list", {}, /Drops are not resources: the tool list_drops/),
  messaged(
    "a completion",
    "completion/complete",
    { ref: { type: "ref/resource", uri: "drop://x" }, argument: { name: "slug", value: "q" } },
    /no completions: the tool list_drops/,
  ),
  messaged(
    "an unknown tool and arguments under other names",
    "tools/call",
    { tool: "publish", input: page },
    /params\.name.*There is no tool \\?"publish.*publish_drop/,
  ),
  messaged(
    "an unknown tool and arguments as text",
    "tools/call",
    { name: "publish", arguments: "{}" },
    /an object.*There is no tool \\?"publish.*publish_drop/,
  ),
  tool(
    "a private page",
    "create_page",
    { ...page, visibility: "private" },
    /publish_drop.*"people".*your own/,
  ),
  tool(
    "a page by its path",
    "write_file",
    { path: "/{slug}/index.html", content: html },
    /update_drop with \{slug: \\?"\w{7}/,
  ),
  tool("a patch", "edit_page", { slug: "{slug}", patch: "s/4/5/" }, /No tool changes a part.*read_drop/),
  tool("a version by a name", "diff", { slug: "{slug}", from: "1", to: "HEAD" }, /Versions are numbers/),
  tool(
    "a permission to comment",
    "share_page",
    { slug: "{slug}", with: ["ana@example.com"], permission: "comment" },
    /feedback: \\?"readers/,
  ),
  tool("a comment at a line", "add_comment", { slug: "{slug}", line: 12 }, /Only readers begin comments/),
  tool("tags as text", "add_tags", { slug: "{slug}", tags: "finance q3" }, /metadata: \{\\?"team/),
];

/** Calls that are meant as they are: nothing is to be mended. */
export const tolerantCalls: readonly WrongCall[] = [
  tool("a page without a title takes its own", "publish_drop", { html }, /"title":"A page"/),
  tool(
    "an upsert without a title takes the page's",
    "upsert_drop",
    { html, metadata: { walk: "alone" } },
    /"title":"A page"/,
  ),
  tool("a page by its url", "get_drop", { slug: "{url}" }, /"slug":"\w{7}"/),
  tool("feedback by a page's url", "list_feedback", { slug: "{raw}" }, /next_since/),
  tool("a publication from a file, by a page's url", "start_publish", { slug: "{url}" }, /curl/),
  {
    what: "feedback by a page's url",
    call: "GET /api/feedback?slug={encodedUrl}",
    sent: {},
    status: 200,
    hint: /next_since/,
  },
  {
    what: "a publication by a page's url",
    call: "POST /api/publications",
    sent: { json: { slug: "{url}" } },
    status: 201,
    hint: /curl/,
  },
];

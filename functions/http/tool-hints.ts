import { findHint, findSimilarName, type HintTable, normalizeName, wordsIn } from "./hints.ts";

const nameCharactersMax = 64;

/** Tools for the names that callers have for them elsewhere: letters and digits only, in lower case. */
const toolHints: HintTable = {
  "publish publishhtml publishpage createdrop createpage createpost createsite createdocument create deploy deployhtml deploysite host upload uploadhtml uploadpage savepage writefile createfile updatefile putfile createorupdatefile pushfiles share":
    "publish_drop with {html, title} publishes one page, with styles and pictures in it; upsert_drop publishes the next version of the drop with the same metadata.",
  "updatepage update updatesite publishversion newversion replace createversion":
    "update_drop with {slug, html} publishes a new version of a drop; edit_drop changes its title, description, metadata or readers.",
  "edit editpage editfile strreplace replaceinpage insert patch rename settitle":
    "update_drop with {slug, html} publishes the whole page anew; edit_drop with {slug} changes title, description, metadata, visibility or readers.",
  "search find query searchpages searchdocs searchlibrary":
    "search_drops with {q} searches the text of your drops and of what others share; list_drops filters your drops by metadata.",
  "fetch read readfile viewfile openfile getfile cat open get getdrop getpage gethtml readpage download downloadpage getcontent retrieve":
    "read_drop with {slug} reads a page; version, a number, selects one. get_drop describes a drop.",
  "list listpages listsites listall getdrops getpages":
    "list_drops lists your drops; list_library lists what others share.",
  "deletefile removefile deleteasset": "delete_blob with {id} deletes a file; list_blobs has the ids.",
  "delete deletepage remove removedrop trashdrop destroy":
    "delete_drop with {slug} moves a drop into the trash.",
  "setpassword setpasscode protect protectpage lock lockpage passwordprotect addpassword unlock":
    "lock_drop with {slug, passcode} locks a drop, and an empty passcode unlocks it.",
  "uploadfile uploadimage uploadasset addfile attach attachfile":
    "upload_blob with {filename} and text or base64 uploads a small file, and start_upload a large one. They read no paths of your machine.",
  "diff diffversions compare compareversion": "compare_versions with {slug, from, to} compares two versions.",
  "getsharelink getlink geturl getshareurl sharelink copylink getpublicurl":
    "get_drop with {slug} has the drop's url, which is its link. edit_drop with {slug, visibility} says who may open it.",
  "listtags gettags listlabels":
    "No tool lists tags: list_drops has each drop's tags in metadata, and list_drops with {metadata} lists those with a tag.",
  "sharedrop sharepage invite addreader setvisibility setpermissions grantaccess makepublic makeprivate publishpublic":
    'edit_drop with {slug, visibility} says who may read: "public", "unlisted", "members", or "people" with readers.',
  "addcomment comment createcomment postcomment addnote annotate":
    'Only readers begin comments, on the page: edit_drop with {slug, feedback: "readers"} lets them. reply_to_feedback with {slug, thread, text} replies to one.',
  "replytocomment reply": "reply_to_feedback with {slug, thread, text} replies to a reader.",
  "listcomments getcomments getfeedback comments": "list_feedback lists what readers have written.",
  "resolvecomment resolvethread closecomment":
    "resolve_feedback with {slug, thread, state} resolves a thread.",
  "screenshot render preview seepage viewpage lookat":
    "see_drop with {slug} shows a page's picture and its problems.",
  "rollback revert restore undo":
    "restore_version with {slug, version} publishes an earlier version as the newest.",
  "history versions getversions": "list_versions with {slug} lists the versions of a drop.",
  "createtoken gettoken login signin authenticate auth": "start_sign_in and poll_sign_in get a token.",
  "me getme getuser getaccount account profile": "whoami says whose token it is.",
};

/** Words of longer names: the things before what is done with them, since most of them have one tool that says what else there is. */
const toolWords: HintTable = {
  "reads opens visits visitors":
    "No tool lists who has opened a drop: GET /api/drops/{slug}/reads does. get_drop has its view_count.",
  "logout revoke signout":
    "No tool revokes tokens: DELETE /api/tokens/{id} does, and GET /api/tokens lists them.",
  "apikey key keys token tokens login auth signin": "start_sign_in and poll_sign_in get a token.",
  "schedule scheduled draft drafts":
    "A drop is published at once: there are no schedules and drafts. publish_drop with {html, title, visibility} says who may read, and edit_drop with {slug, visibility} changes it.",
  "pdf export print":
    "No tool makes a PDF: read_drop with {slug} reads a page, and see_drop with {slug} shows its picture.",
  "resolve close": "resolve_feedback with {slug, thread, state} resolves a thread.",
  "comment comments feedback thread threads reply annotation annotations":
    "list_feedback lists what readers have written; reply_to_feedback with {slug, thread, text} replies.",
  "copy duplicate fork clone":
    "read_drop with {slug} reads a page, and publish_drop with {html, title} publishes a copy.",
  "move folder folders project projects collection collections space":
    "There are no folders: edit_drop with {slug, metadata} tags a drop, and list_drops with {metadata} lists those with a tag.",
  "archive unarchive hide unpublish":
    "There is no archive: edit_drop with {slug, visibility} says who may read, and delete_drop with {slug} moves a drop into the trash.",
  purge:
    "No tool deletes for good: delete_drop moves a drop into the trash, and DELETE /api/trash/{slug} deletes it there.",
  "password passcode protect lock unlock":
    "lock_drop with {slug, passcode} locks a drop, and an empty passcode unlocks it.",
  "visibility permission permissions access readers reader share sharing invite private":
    'edit_drop with {slug, visibility} says who may read: "public", "unlisted", "members", or "people" with readers.',
  "diff compare": "compare_versions with {slug, from, to} compares two versions.",
  "rollback revert restore":
    "restore_version with {slug, version} publishes an earlier version as the newest.",
  "trash undelete recover": "list_trash lists deleted drops; undelete_drop with {slug} brings one back.",
  "version versions history revision revisions commits":
    "list_versions with {slug} lists the versions of a drop; update_drop with {slug, html} publishes a new one, and delete_version with {slug, version} deletes one.",
  "screenshot render preview thumbnail picture":
    "see_drop with {slug} shows a page's picture and its problems.",
  "publish deploy host gist paste pastebin artifact artifacts canvas":
    "publish_drop with {html, title} publishes one page; upsert_drop publishes the next version of the drop with the same metadata.",
  "file files image images asset assets attachment blob blobs media":
    "upload_blob with {filename} and text or base64 uploads a small file, and start_upload a large one; list_blobs lists files, and delete_blob with {id} deletes one.",
  "usage quota limits stats analytics metrics":
    "get_usage says what the account uses of its limits; list_drops has the view_count of each drop.",
  "user account profile me": "whoami says whose token it is.",
  "search find query lookup":
    "search_drops with {q} searches the text of your drops and of what others share; list_drops filters your drops by metadata.",
  "tag tags label labels metadata":
    'edit_drop with {slug, metadata} replaces all tags. Tags are metadata, an object of strings: metadata: {"team": "ops"}.',
  "rename title description":
    "edit_drop with {slug} changes title, description, metadata, visibility or readers.",
  "upsert sync":
    "upsert_drop with {html, title, metadata} publishes to the drop with this metadata, or to a new one.",
  "delete remove destroy": "delete_drop with {slug} moves a drop into the trash.",
  "update replace overwrite write modify":
    "update_drop with {slug, html} publishes a new version of a drop; edit_drop changes its title, description, metadata or readers.",
  "edit patch set change":
    "update_drop with {slug, html} publishes the whole page anew; edit_drop with {slug} changes title, description, metadata, visibility or readers.",
  "list all": "list_drops lists your drops; list_library lists what others share, and list_blobs your files.",
  "create upload save post add new make push":
    "publish_drop with {html, title} publishes one page; upsert_drop publishes the next version of the drop with the same metadata.",
  "content contents html source body markdown text":
    "read_drop with {slug} reads a page; update_drop with {slug, html} replaces it.",
  "get read fetch open show view load retrieve download":
    "read_drop with {slug} reads a page, and get_drop describes a drop.",
};

/** Advice on methods of the protocol that the server does not have. */
const methodHints: HintTable = {
  "completion/complete":
    "There are no completions: the tool list_drops lists your drops with their slugs, and search_drops with {q} finds one by its words.",
  "prompts/list prompts/get":
    "There are no prompts: tools/list lists the tools, and resources/read reads the skill of the resource list.",
  "logging/setLevel resources/subscribe resources/unsubscribe tasks/list tasks/get tasks/result tasks/cancel":
    "Nothing is announced and no call takes longer than its response: call the tool again. list_feedback with {wait: 25} waits for comments.",
};

/** Advice on a method that the server does not have; undefined without any. */
export function explainUnknownMethod(method: string): string | undefined {
  return findHint(methodHints, method)?.advice;
}

/** A client's name of the server before that of the tool, such as `mcp__dropleaf__publish_drop`. */
const serverPrefix = /^.*(?:__|[.:/])(?=\w)/;

/** Says which tool is meant by a name: by what it means elsewhere, by its words, by a similar name, or else all of them. Empty for a tool's own name. */
export function explainUnknownTool(name: string, known: readonly string[]): string {
  if (known.includes(name)) return "";
  const bare = name.slice(0, nameCharactersMax).replace(serverPrefix, "");
  const normalized = normalizeName(bare);
  const same = known.find((one) => normalizeName(one) === normalized);
  const words = wordsIn(bare);
  const ofWords = Object.keys(toolWords).find((key) => key.split(" ").some((one) => words.includes(one)));
  const found =
    same === undefined
      ? (findHint(toolHints, normalized) ?? findHint(toolWords, ofWords?.split(" ")[0] ?? ""))?.advice
      : undefined;
  const similar = same ?? findSimilarName(bare, known);
  const shown = JSON.stringify(name.slice(0, nameCharactersMax));
  if (found !== undefined) return `There is no tool ${shown}. ${found}`;
  return similar === undefined
    ? `There is no tool ${shown}: choose from ${known.join(", ")}`
    : `There is no tool ${shown}. Did you mean ${similar}?`;
}

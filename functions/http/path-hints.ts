import { findHint, type HintTable, isId, type SynonymTable, wordsIn } from "./hints.ts";

/** Other names of path segments, by the names of this API. */
export const pathSynonyms: SynonymTable = {
  drops:
    "drop page pages publish document documents site sites artifact artifacts share html deployments deployment deploys deploy gists gist paste pastes reports report dashboards websites projects presentations snippets posts create new blocks block articles notes entries stories apps issues content contents",
  blobs: "blob object objects file files upload asset uploads assets image images attachments media",
  uploads: "presign presigned",
  tokens: "key keys api-keys apikeys",
  me: "whoami user users account profile self",
  auth: "login signin sign-in oauth device register signup session sessions",
  library: "search shared",
  poll: "token status verify",
  start: "login device code signin sign-in device_authorization device-authorization",
  mcp: "sse message messages rpc jsonrpc mcp-server tools",
  v: "versions version",
  versions: "history revisions v version",
  html: "raw content source page download",
  passcode: "password lock unlock gate",
  restore: "rollback revert",
  undelete: "untrash recover",
  diff: "compare changes",
  "openapi.json": "openapi openapi.yaml swagger swagger.json spec schema",
  "llms.txt": "docs help guide documentation",
};

/** Words after the slug of a drop, or after the id of another service's page. */
const wordsOfDrop: HintTable = {
  "GET HEAD comments comment feedback feedbacks threads replies reviews discussion discussions annotations notes issues issue":
    "GET /api/feedback?slug={slug} lists what readers have written, and waits for more with wait=25.",
  "POST PUT reply respond answer":
    'POST /api/drops/{slug}/feedback/{thread}/replies with {"text": "…"} replies to a reader.',
  "POST comments comment feedback feedbacks threads replies reviews discussion annotations notes suggestions issues issue":
    'Readers write comments on the page, if PATCH /api/drops/{slug} has set {"feedback": "readers"}. To reply to one, send POST /api/drops/{slug}/feedback/{thread}/replies with {"text": "…"}.',
  "PUT PATCH DELETE comments comment feedback feedbacks threads replies reviews discussions issues issue":
    'PATCH /api/drops/{slug}/feedback/{thread} with {"state": "resolved"} resolves a thread; DELETE /api/drops/{slug}/feedback/{thread} deletes it. PATCH /api/drops/{slug} with {"feedback": "readers"} lets readers write, and with "off" stops them.',
  "resolve resolved close reopen":
    'PATCH /api/drops/{slug}/feedback/{thread} with {"state": "resolved"} resolves a thread, and "open" reopens it.',
  "PATCH DELETE versions version history revisions v commits":
    "DELETE /api/drops/{slug}/v/{n} deletes a version. A version never changes: PUT /api/drops/{slug} publishes a new one.",
  "promote activate set-current":
    'POST /api/drops/{slug}/restore with {"version": 1} publishes an earlier version as the newest, which readers see. PUT /api/drops/{slug} publishes a new one.',
  "POST PUT versions version history revisions v commits releases draft drafts publish republish deploy deploys deployments":
    'PUT /api/drops/{slug} with "html" publishes a new version at once; a "note" says what changed. There are no drafts.',
  "versions version history revisions v commits releases snapshots latest":
    "GET /api/drops/{slug}/versions lists the versions, GET /api/drops/{slug}/v/{n} describes one, and GET /api/drops/{slug}/html?v={n} is its page.",
  "restore rollback revert":
    'POST /api/drops/{slug}/restore with {"version": 1} publishes an earlier version as the newest.',
  "undelete untrash unarchive recover":
    'POST /api/drops/{slug}/undelete brings a drop back from the trash. For an earlier version of a drop, send POST /api/drops/{slug}/restore with {"version": 1}.',
  "diff diffs compare changes": "GET /api/drops/{slug}/diff?from=1&to=2 compares two versions.",
  "GET HEAD share shares sharing permission permissions access acl collaborators members readers viewers users visibility privacy grants":
    'GET /api/drops/{slug} shows "visibility" and "readers"; PATCH /api/drops/{slug} changes them.',
  "share shares sharing permission permissions access acl collaborators collaborator members readers viewers users grants restriction restrictions invite invites invitations teams team groups contributors editors make-public":
    'To choose the readers, send PATCH /api/drops/{slug} with {"visibility": "people", "readers": ["ada@example.com"]}, or with "public" and no readers. Nobody but the owner can change a drop.',
  "visibility private public privacy unlisted archive archived unpublish hide disable deactivate":
    'To choose who can read it, send PATCH /api/drops/{slug} with "visibility": "public", "unlisted" (everybody with the link), "members", or "people" with "readers". DELETE /api/drops/{slug} deletes it.',
  "GET HEAD tags tag labels label topics keywords categories metadata meta properties fields":
    'GET /api/drops/{slug} has the tags in "metadata".',
  "tags tag labels label topics keywords categories metadata meta properties fields move folder parent":
    'Tags are metadata: PATCH /api/drops/{slug} with {"metadata": {"team": "ops"}} replaces all of them. There are no folders.',
  "title description rename name settings config indexed seo robots":
    'PATCH /api/drops/{slug} with {"title": "…"} changes it; so for "description", "indexed" and "feedback".',
  "GET HEAD passcode password lock locked protection gate":
    'GET /api/drops/{slug} says in "locked" if there is a passcode, which nobody can read. POST /api/drops/{slug}/passcode sets another.',
  "passcode password lock locked unlock protect protection gate":
    'POST /api/drops/{slug}/passcode with {"passcode": "…"} locks the drop, and the empty string unlocks it.',
  "freeze readonly read-only pin pins protect-branch":
    "A drop cannot be frozen or pinned: nobody but its owner changes it. DELETE /api/drops/{slug}/v/{n} removes a version, and nothing else removes one.",
  "expiry expiration expire expires ttl extend renew keep":
    'PATCH /api/drops/{slug} with {"expires_in_days": 7} has a drop expire, and with null never. DELETE /api/drops/{slug} deletes it at once.',
  "schedule scheduled":
    'A drop is published at once. {"visibility": "people"} with your own address in "readers" keeps others out until you PATCH /api/drops/{slug}.',
  "stats statistics views view analytics metrics insights traffic visits visitors hits reads opens activity audit events log logs":
    "GET /api/drops/{slug} has view_count, and GET /api/drops/{slug}/reads lists who opened a drop whose readers sign in. GET /api/drops/{slug}/versions lists its changes.",
  "hook hooks webhook webhooks subscribe subscription subscriptions subscribers watch watchers notify notifications channels":
    "A drop has no webhooks: the operator sets them for the whole service. GET /api/feedback?slug={slug}&wait=25 waits for comments.",
  "GET HEAD asset assets file files attachment attachments image images picture media upload uploads blobs":
    "A drop is one page, with no files of its own: GET /api/drops/{slug}/html is that page. GET /api/blobs lists the files of your account.",
  "DELETE asset assets file files attachment attachments image images picture media upload uploads blobs":
    "A drop has no files of its own: DELETE /api/blobs/{id} deletes a file, by the last part of its url. GET /api/blobs lists yours.",
  "asset assets file files attachment attachments image images picture media upload uploads blobs":
    "POST /api/blobs?filename=chart.png uploads a file; write its url into the page, and send that with PUT /api/drops/{slug}.",
  "screenshot screenshots thumbnail preview render card og og-image picture png jpg jpeg pdf report check validate lint audit lighthouse":
    "GET /api/drops/{slug}/render shows the page as a picture, with what is wrong with it. There is no PDF.",
  "GET HEAD markdown md text txt source plain":
    "GET /api/drops/{slug}/source is the Markdown that a page was made of; GET /api/drops/{slug}/html is the page.",
  "GET HEAD export download archive zip":
    "GET /api/drops/{slug}/html is the page, and has no other formats. GET /api/drops/{slug}/render shows it as a picture. There is no PDF.",
  "GET HEAD html raw content contents body file document page index data blocks children":
    "GET /api/drops/{slug}/html is the page, ?v=2 selects one of its versions, and GET /api/drops/{slug} has its details.",
  "html raw content contents body file document page source markdown data append prepend edit edits update replace overwrite patch blocks children sections upsert index index.html":
    'PUT /api/drops/{slug} with the complete page as "html" publishes it as the next version. PATCH /api/drops/{slug} changes title, tags and readers.',
  "DELETE delete remove destroy trash": "DELETE /api/drops/{slug} deletes a drop with all its versions.",
  "delete remove destroy trash": "DELETE /api/drops/{slug} deletes a drop with all its versions.",
  "fork forks copy clone duplicate":
    "To copy a page, read GET /api/drops/{slug}/html, and publish it with POST /api/drops.",
  "submission submissions form forms response responses entries answers rows records database data-store kv":
    "A page has no forms and no database here. Readers can write comments: GET /api/feedback?slug={slug} lists them.",
  "purge_cache purge-cache cache invalidate invalidation invalidations purge-cdn flush":
    "No cache has to be purged: after PUT /api/drops/{slug}, readers see the new version. GET /api/drops/{slug} has its latest_version.",
  "env environment environments variables secrets function functions cron crons build builds build_hooks domain-settings redirects headers run execute invoke start stop restart scale logs-stream":
    "A drop is one HTML page: there are no builds, variables, functions and servers to set or run. PUT /api/drops/{slug} publishes a new version, and PATCH /api/drops/{slug} changes its details.",
  "star stars like likes favorite favorites reaction reactions vote votes upvote rating ratings":
    "There are no stars and votes. Readers can write comments: GET /api/feedback?slug={slug} lists them.",
  "transfer owner owners ownership":
    "A drop stays with its owner. To copy it to another account, publish its page there with POST /api/drops.",
  "slug alias aliases domain domains url urls link links shortlink shorten qr qrcode redirect redirects embed oembed":
    "The address of a drop never changes, and its owner cannot choose it. GET /api/drops/{slug} has it in url, and the page alone in raw_url.",
  "status state info details summary json": "GET /api/drops/{slug} has all fields of a drop.",
};

/** Words in place of a slug. */
const wordsInsteadOfSlug: HintTable = {
  "batch-delete bulk-delete delete-many delete-batch delete-bulk delete-all":
    "Each drop is deleted by a call of its own, DELETE /api/drops/{slug}. GET /api/drops lists yours.",
  "DELETE drops all bulk batch":
    "Each drop is deleted by a call of its own, DELETE /api/drops/{slug}. GET /api/drops lists yours.",
  "list all index mine get-all count $count total":
    "GET /api/drops lists your drops, ?page=2 the next ones, and its total says how many there are. GET /api/drops/{slug} describes one.",
  "by-title by-name by-url by-slug by-id bytitle byname title name slug lookup":
    "GET /api/drops/{slug} takes a slug or the whole address of a drop. GET /api/search?q=… finds one by its words, and GET /api/drops lists yours with their titles.",
};

/** Words at the beginning of a path. */
const firstWords: HintTable = {
  "mcp mcp.json sse messages message jsonrpc tools resources prompts":
    'The MCP server is at POST /mcp, by streamable HTTP: every call goes there, a tool\'s as the method "tools/call".',
  "DELETE me profile account user users":
    "An account is closed by the operator, and not by a call. DELETE /api/drops/{slug} deletes a drop, and DELETE /api/tokens/{id} revokes a token.",
  "POST PUT upload uploads files file media assets content":
    "To publish a page, send POST /api/drops with Content-Type: text/html. To upload a picture or another file, send POST /api/blobs?filename=chart.png with its bytes.",
  "search find query lookup":
    "GET /api/search?q=… searches the text of your drops and of what others share with you. GET /api/drops?metadata.<key>=<value> lists those of yours with a tag.",
  "team teams org orgs organization organizations group groups member members contacts roles invites invitations permissions shares":
    'There are no teams to manage in the API. To share a drop with a group, send PATCH /api/drops/{slug} with {"visibility": "people", "readers": ["group:engineering"]}.',
  "POST PUT PATCH DELETE project projects":
    "There are no projects to make or change. A tag stands for one: PUT /api/drops?metadata.project=q3 publishes to the drop with this tag, or to a new one, and GET /api/drops?metadata.project=q3 lists those that have it.",
  "project projects":
    "There are no projects: GET /api/drops?metadata.project=q3 lists the drops with this tag, and GET /api/drops lists all of yours.",
  "purge purge_cache purge-cache cache invalidate invalidation invalidations":
    "No cache has to be purged: after PUT /api/drops/{slug}, readers see the new version.",
  "GET HEAD tag tags label labels topics categories":
    'The API has no list of tags: GET /api/drops has each drop\'s in "metadata", and GET /api/drops?metadata.team=ops lists the drops with one.',
  "folder folders collection collections category categories tag tags label labels topics spaces space workspaces workspace notebooks":
    'There are no folders: PATCH /api/drops/{slug} tags a drop with {"metadata": {"team": "ops"}}, and GET /api/drops?metadata.team=ops lists those with the tag.',
  "hook hooks webhook webhooks subscription subscriptions notifications notification integrations":
    "Webhooks are set by the operator for the whole service. GET /api/feedback?wait=25 waits for readers' comments.",
  "event events activity activities audit audit-log logs log stream feed changes":
    "The API has no list of events. GET /api/drops?sortBy=updated_at lists what has changed, and GET /api/feedback?wait=25 waits for readers' comments.",
  "trash bin deleted archive archived recycle-bin drafts scheduled":
    "GET /api/trash lists deleted drops, POST /api/drops/{slug}/undelete brings one back, and DELETE /api/trash/{slug} deletes one for good: no call empties the trash. There are no drafts: GET /api/drops lists what is published.",
  "rate_limit rate-limit ratelimit rate_limits limit limits quota quotas usage billing plan plans subscription-plan credits stats statistics analytics metrics":
    "GET /api/me/usage tells what the account uses of its limits. GET /api/drops has the view_count of each drop.",
  "import imports fetch crawl clip scrape convert markdown":
    'The service fetches no pages: send the page itself as "html" with POST /api/drops, or Markdown as the body with Content-Type: text/markdown.',
  "screenshot screenshots render renders preview previews thumbnail thumbnails pdf validate lint check":
    "GET /api/drops/{slug}/render shows a drop as a picture, with what is wrong with it. It has to be published first, with POST /api/drops.",
  "PUT PATCH DELETE comment comments feedback feedbacks thread threads replies reviews":
    'A thread is changed below its drop: PATCH /api/drops/{slug}/feedback/{thread} with {"state": "resolved"} resolves it, and DELETE /api/drops/{slug}/feedback/{thread} deletes it. GET /api/feedback has the slug and thread of each comment.',
  "POST comment comments feedback feedbacks thread threads reviews chat conversations":
    'Readers begin comments, on the page of a drop: PATCH /api/drops/{slug} with {"feedback": "readers"} lets them. POST /api/drops/{slug}/feedback/{thread}/replies with {"text": "…"} replies to one.',
  "comment comments feedback feedbacks thread threads replies reviews inbox chat conversations":
    "GET /api/feedback lists what readers have written, ?slug={slug} of one drop. POST /api/drops/{slug}/feedback/{thread}/replies replies.",
  "DELETE token tokens key keys api-keys apikeys session sessions":
    "DELETE /api/tokens/{id} revokes a token. GET /api/tokens lists yours with their ids, and GET /api/me has the id of your own.",
  "GET HEAD blob blobs file files upload uploads media assets": "GET /api/blobs lists your files.",
  "PATCH PUT token tokens key keys api-keys apikeys":
    'A token never changes. To have one with another label, send POST /api/auth/start with {"label": …}, and revoke the old one with DELETE /api/tokens/{id}.',
  "rotate refresh regenerate revoke renew":
    "A token is not renewed: POST /api/auth/start signs in for a new one. DELETE /api/tokens/{id} then revokes the old one.",
  "logout signout sign-out": "DELETE /api/tokens/{id} revokes a token; GET /api/tokens lists them.",
  "GET HEAD library public explore discover trending popular recent recents shared-with-me shared gallery":
    "GET /api/library lists what others share with you. GET /api/drops?sortBy=updated_at lists your own drops, the last changed first.",
  "git refs repo branches branch commits pull pulls contents":
    "There is no git here: PUT /api/drops/{slug} publishes the next version of a page, POST /api/drops a new page, and GET /api/drops/{slug}/versions lists its versions.",
  "share sharing shared link links shortlink":
    'The url of a drop is its link: GET /api/drops/{slug} has it. PATCH /api/drops/{slug} with "visibility" and "readers" says who can open it, and POST /api/drops/{slug}/passcode with {"passcode": "…"} locks it.',
  "health healthz status ping version versions info about config settings ready live":
    "There is no such address. GET /openapi.json has the version of the service, and GET /api/me shows that a token works.",
  "skill skills agents claude ai-plugin llms-full":
    "GET /llms.txt is the guide for agents, and GET /api/onboard?format=md has all of it.",
  "dashboard admin console manage":
    "GET /api/drops lists your drops. People manage theirs in a browser at /account.",
  "new create add publish":
    'POST /api/drops with {"title": …, "html": …} at the top level of the body publishes a page.',
  "upsert put save":
    "PUT /api/drops?metadata.<key>=<value> publishes to the drop with this tag, or to a new one.",
  "presign presigned presigned-url signed-url upload-url signed multipart":
    "POST /api/blobs/uploads gives an address for a large file. Files up to 3 MB: POST /api/blobs?filename=chart.png.",
  "introspect introspection tokeninfo token-info userinfo user-info openid userinfo.json":
    "GET /api/me says whose token it is, and is refused with 401 if the token is not valid.",
  "register registration registrations dcr clients client-registration":
    "A client of the MCP server registers with POST /oauth/register. A program needs no registration: POST /api/auth/start starts a sign-in, and GET /api/auth/poll?token=<poll_token> then gives a token.",
  "magic-link magiclink magic passwordless otp email-link send-link forgot-password reset-password":
    "No links are sent by e-mail: POST /api/auth/start starts a sign-in, in which a person confirms a code in a browser. GET /api/auth/poll?token=<poll_token> then gives a token.",
  "POST token tokens key keys api-keys apikeys personal-access-tokens pat":
    "No call makes a token: POST /api/auth/start starts a sign-in, in which a person confirms a code, and GET /api/auth/poll?token=<poll_token> then gives a token. Each has all rights of the account: there are no scopes, and the operator sets the days.",
  "GET HEAD token tokens key keys api-keys apikeys": "GET /api/tokens lists your tokens with their ids.",
  "token tokens key keys api-keys apikeys login signin sign-in signup sign-up register session sessions auth oauth authorize device code":
    "POST /api/auth/start starts a sign-in, in which a person confirms a code. GET /api/auth/poll?token=<poll_token> then gives a token.",
  "openid-configuration jwks jwks.json":
    "GET /.well-known/oauth-authorization-server describes the sign-in of MCP clients; programs use POST /api/auth/start.",
  "function functions cron crons sqlite sql database databases kv execute eval run exec workers lambda vals":
    'The service runs no code and has no database: it publishes HTML pages. POST /api/drops with {"title": …, "html": …} publishes one.',
  "graphql batch bulk rpc":
    "There are no queries and batches: GET /api/drops lists your drops, and each is published by a call of its own, POST /api/drops.",
  "export exports backup backups dump":
    "`npx dropleaf export` copies all of an account into a folder. By calls: GET /api/drops lists the drops, and GET /api/drops/{slug}/html is the page of each.",
  "domain domains dns certificates themes theme templates template layouts env environments builds build":
    "There are no domains, templates and builds to set in the API. POST /api/drops publishes a complete HTML page at an address that the service chooses.",
  "drops drop pages documents repos gists sites posts":
    'GET /api/drops lists your drops, and POST /api/drops with {"title": …, "html": …} publishes one, or with the page itself as text/html.',
  "user users people author authors": "GET /api/me is your own account. The API shows no other people's.",
  "profile settings preferences account me":
    "Name and address of an account come from its sign-in, and cannot be changed here. GET /api/me shows them.",
};

/** Words after the id of a file; `id` stands for the file itself. */
const wordsOfFile: HintTable = {
  "permission permissions share sharing access acl visibility readers public private":
    'PATCH /api/drops/{slug} with "visibility": "public", "unlisted", "members", or "people" with "readers" says who can read a page, and PATCH /api/blobs/{id} with the same who can read a file.',
  "GET HEAD id content raw download url metadata info":
    "GET /api/blobs/{id} describes one of your files. The file itself is at its url. A page is a drop: GET /api/drops/{slug}/html.",
  "comment comments feedback replies annotations":
    "Readers comment on drops, not on files: GET /api/feedback?slug={slug} lists what they have written about one.",
  "uploads multipart parts chunks complete finish finalize commit abort":
    "A large file takes three calls: POST /api/blobs/uploads gives an address, the bytes go there, and POST /api/blobs/uploads/{id}/complete finishes it. One that is not finished is removed by itself.",
  "DELETE trash delete remove": "DELETE /api/blobs/{id} deletes a file.",
  "list all index search count": "GET /api/blobs lists your files, ?page=2 the next ones.",
  "POST purge delete remove delete_v2":
    "DELETE /api/blobs/{id} deletes a file. To delete a drop, send DELETE /api/drops/{slug}.",
  "versions version history revisions revision":
    "A file has no versions: its bytes never change. GET /api/drops/{slug}/versions lists those of a page.",
  "copy duplicate clone":
    "Upload a file again to have a copy. To copy a page, read GET /api/drops/{slug}/html, and publish it with POST /api/drops.",
  "PATCH id metadata update rename":
    "PATCH /api/blobs/{id} changes who can read a file, and PATCH /api/drops/{slug} title, tags and readers of a page. The name and bytes of a file never change: POST /api/blobs?filename=chart.png uploads a new one, and PUT /api/drops/{slug} publishes a new version of a page. DELETE /api/blobs/{id} deletes a file.",
  "POST PUT PATCH id content rename metadata update":
    "The name and bytes of a file never change, and the service chooses its id: POST /api/blobs?filename=chart.png uploads a new file, and DELETE /api/blobs/{id} deletes the old one. PUT /api/drops/{slug} publishes a new version of a page.",
};

/** Verbs in the paths of remote procedures, which say what the method does not, by the method that they stand for. */
export const methodOfVerb: Readonly<Record<string, string>> = {
  ...{ list: "GET", get: "GET", fetch: "GET", read: "GET", show: "GET", download: "GET" },
  ...{ delete: "DELETE", remove: "DELETE", destroy: "DELETE" },
  ...{ update: "PATCH", edit: "PATCH", set: "PATCH", create: "POST", add: "POST", new: "POST" },
};

/** Recognizes the name of a file that is no page. */
function isFileName(word: string): boolean {
  return /.\.(?!html?$|md$|json$)[a-z0-9]{1,5}$/.test(word);
}

/**
 * Finds the sentence for the last word of a path that a table has: as a whole, without its file ending, or a part of it. Of several words in
 * one, as `list_revisions` has, the verb is the method. The name of a file says less than the word before it.
 */
function findSentence(table: HintTable, method: string, words: readonly string[]): string | undefined {
  // An id has no words, though a part of it may be one.
  const last = words.filter((one) => !isId(one)).toReversed();
  for (const word of [...last.filter((one) => !isFileName(one)), ...last.filter(isFileName)]) {
    const stem = word.replace(/\.\w+$/, "");
    const parts = wordsIn(stem);
    const [verb] = parts.flatMap((part) => (parts.length > 1 ? (methodOfVerb[part] ?? []) : []));
    const objects = parts.filter((part) => methodOfVerb[part] === undefined);
    const ofVerb = verb === undefined ? [] : objects.map((part) => [part, verb] as const);
    const whole = [word, stem, stem.replace(/(?<!\d)\d+$/, "")].map((one) => [one, method] as const);
    for (const [one, by] of [...whole, ...ofVerb, ...parts.map((part) => [part, method] as const)]) {
      const found = findHint(table, one, by);
      if (found !== undefined) return found.advice;
    }
  }
  return undefined;
}

/** Parts of a drop that have an address. */
const partsOfDrop =
  "GET /api/drops/{slug} has all about a drop; its parts are /html, /source, /versions, /v/{n}, /diff, /render, /reads, /passcode, /restore and /feedback.";

const ofPolling =
  "GET /api/auth/poll?token=<poll_token> says if the person has signed in, and then gives a token. POST /api/auth/start starts a sign-in.";

/** Limit of the segments that are looked at. */
const segmentsMax = 8;

/**
 * Finds the sentence that mends an unknown path.
 *
 * @param segments of the path below `/api`, all but ids in lower case, with other services' words for pages and files replaced by `drops` and `blobs`
 */
export function explainPath(method: string, segments: readonly string[]): string | undefined {
  const [first = "", second = "", ...rest] = segments;
  const hasId = isId(second);
  // Salesforce and others write to a record by an id of the caller's own, in the path.
  if (first === "drops" && second.startsWith("metadata.")) return findHint(firstWords, "upsert")?.advice;
  if (first === "drops" && methodOfVerb[second] !== undefined && isId(rest[0] ?? ""))
    return findSentence(wordsOfDrop, method, [second, ...rest.slice(1)]) ?? partsOfDrop;
  if (first === "drops" && !hasId) {
    const word = second.replaceAll("_", "-");
    const found = findHint(wordsInsteadOfSlug, word, method) ?? findHint(firstWords, word, method);
    if (found !== undefined) return found.advice;
  }
  if (first === "drops" && rest.length > 0) {
    const isVersion = rest.length === 1 && /^(\d{1,6}|[0-9a-f]{8,64})$/.test(rest[0] ?? "");
    return findSentence(wordsOfDrop, method, isVersion ? ["version"] : rest) ?? partsOfDrop;
  }
  if (first === "mcp") return findHint(firstWords, first)?.advice;
  if (first === "blobs" && second !== "") {
    const isWord = !second.includes(".") && !hasId;
    const ofAll = isWord ? findHint(firstWords, second, method)?.advice : undefined;
    const ofFile = findSentence(wordsOfFile, method, hasId ? rest : [second, ...rest]);
    // Other services' files are pages.
    const ofPage = hasId && rest.length > 0 ? findSentence(wordsOfDrop, method, rest) : undefined;
    const found = rest.length === 0 ? (ofAll ?? ofFile) : (ofFile ?? ofPage ?? ofAll);
    const isUpload = isWord && /^(POST|PUT)$/.test(method);
    return found ?? findSentence(isUpload ? firstWords : wordsOfFile, method, isUpload ? ["upload"] : ["id"]);
  }
  if (first === "search") return findHint(firstWords, first)?.advice;
  if (first === "auth" && /^(status|check|verify|result|wait)$/.test(second)) return ofPolling;
  const at = /^(tokens|feedback|trash|oauth|scim)$/.test(first) ? -1 : segments.findIndex(isId);
  const ofId =
    at > 0 && at < segments.length - 1
      ? findSentence(wordsOfDrop, method, segments.slice(at + 1))
      : undefined;
  if (ofId !== undefined) return ofId;
  const [only, ...others] = segments;
  const ofOnly = others.length === 0 ? findHint(wordsInsteadOfSlug, only ?? "", method)?.advice : undefined;
  if (ofOnly !== undefined) return ofOnly;
  // Paths of other services often go through the account.
  const words = segments.slice(0, segmentsMax);
  const ofAccount = words.length > 2 ? words.filter((word) => !/^(me|users?)$/.test(word)) : words;
  return findSentence(firstWords, method, first === "drops" ? [second] : ofAccount);
}

/** All sentences, for the test that each call of theirs exists. */
export const pathSentences = [wordsOfDrop, wordsOfFile, wordsInsteadOfSlug, firstWords].flatMap((table) =>
  Object.values(table).map(String),
);

import { inBothWords, type Message } from "../core/errors.ts";

/**
 * Unknown field names with the same meaning, such as `private`. A request with one of these names is refused, because the caller's intent
 * must not be ignored silently.
 */
export interface Intent {
  /** The names, separated by spaces, with lower-case letters and digits only. */
  readonly names: string;
  /** Words that have this meaning inside longer names too, such as `password` in `passwordProtection`. @default - only whole names match */
  readonly words?: string;
  /** The service's field with this meaning. @default - the service has no such field */
  readonly field?: string;
  /** Field that changes the meaning of the names. If the request has this field, the intent does not apply. @default - none */
  readonly unless?: string;
  /** True if a request with the names is not refused. The names are ignored, with a warning if possible. */
  readonly isIgnored?: true;
  /** Advice for the caller. @default - the name of the field, or of the call that accepts the field */
  readonly advice?: Message;
}

const next = { http: "PUT /api/drops/{slug}", tool: "update_drop" };
const edit: Message = { http: "PATCH /api/drops/{slug}", tool: "edit_drop" };

/** Calls to suggest to callers who sent a field with the wrong call, by field. */
export const callsByField: Readonly<Record<string, Message>> = {
  ...{ html: { http: `POST /api/drops or ${next.http}`, tool: `publish_drop or ${next.tool}` } },
  ...{ visibility: edit, readers: edit, indexed: edit, feedback: edit, expires_in_days: edit },
  ...{ context: next, note: next, original_date: next, title: edit, description: edit, answers: edit },
  metadata: inBothWords((call) => `${call("PATCH /api/drops/{slug}", "edit_drop")}, which replaces all keys`),
  passcode: { http: 'POST /api/drops/{slug}/passcode ("" unlocks)', tool: 'lock_drop ("" unlocks)' },
  state: { http: "PATCH /api/drops/{slug}/feedback/{thread}", tool: "resolve_feedback" },
  text: { http: "POST /api/drops/{slug}/feedback/{thread}/replies", tool: "reply_to_feedback" },
  q: { http: "GET /api/search", tool: "search_drops" },
  to: { http: "POST /api/drops/{slug}/move, to a team", tool: "move_drop, to a team" },
  spa: { http: "a folder: POST /api/drops/{slug}/files", tool: "start_publish, for a folder" },
};

/** Advice on visibility, whose wrong value could expose a page. */
export const visibility =
  'Send "visibility": "public", "unlisted" (by link), "members" or "people" with "readers": ["ada@example.com"]. For a private drop, send "people" with "username:<your name>".';

/** Advice on deletion and restoration. */
export const trash: Message = {
  http: "There is no archive, and there are no drafts. DELETE /api/drops/{slug} moves a drop into the trash, which GET /api/trash lists. POST /api/drops/{slug}/undelete brings it back, DELETE /api/trash/{slug} deletes it for good.",
  tool: "There is no archive, and there are no drafts. delete_drop moves a drop into the trash, which list_trash lists. undelete_drop brings it back.",
};
const newest: Message = {
  http: 'PUT publishes the next version. To change only the version that you have read, send its ETag as the header If-Match. To publish an earlier one again, send POST /api/drops/{slug}/restore with {"version": 1}.',
  tool: "Tools do not support conditional requests: update_drop always publishes the next version. To publish an earlier one again, call restore_version.",
};

/** Meanings of unknown field names. If several intents share a name, the first intent whose field the call accepts is used. */
export const fieldIntents: readonly Intent[] = [
  {
    names:
      "ispublic public hidden internal access accesslevel acl secret membersonly hide shareable requirelogin requiresignin loginrequired",
    words: "private privacy makepublic makeprivate unlist unlisted unpublish unshare restricted",
    field: "visibility",
    advice: visibility,
  },
  {
    names: "allow allowed allowlist shared recipients audience users with",
    words:
      "share sharedwith sharewith readers viewers viewer permissions people invite invited collaborators editors email emails",
    field: "readers",
    advice:
      'Send "visibility": "people" with the list "readers": ["ada@example.com"]. Only the owner can edit.',
  },
  { names: "pass pin lock protected", words: "password passphrase passcode locked", field: "passcode" },
  {
    names: "ttl maxage deleteat deleteafter lifetime validuntil ttldays ttlseconds extend",
    words: "expires expire expiry expiration expirationdate ttl",
    field: "expires_in_days",
    advice: 'Send "expires_in_days" from 1 to 3650, or "expires_at" in Unix milliseconds; null means never.',
  },
  { names: "noindex robots", field: "indexed", advice: 'Send "indexed": false.' },
  { names: "index allowindexing searchable discoverable listed seo", field: "indexed" },
  {
    names: "comments commentstatus commenting allowcomments commentsenabled allowfeedback cancomment",
    field: "feedback",
  },
  {
    names:
      "status state dryrun preview validateonly published publishat publishdate publishedat oneview maxviews",
    words: "onetime draft schedule scheduled burn simulate selfdestruct",
    advice: "A drop is published at once: there are no drafts, schedules, dry runs or one-time links.",
  },
  {
    names: "upsert overwrite force ifexists onconflict createorupdate update",
    advice: inBothWords(
      (call) =>
        `${call("PUT /api/drops?metadata.<key>=<value>", "upsert_drop")} publishes a version of the drop with this metadata, or a new drop.`,
    ),
  },
  {
    names: "url uri link path sourceurl fromurl pageurl importurl src htmlurl fileurl htmlfile filepath",
    unless: "html",
    advice: 'The service does not fetch pages or files: send the page as "html".',
  },
  {
    names: "slug newslug customslug customurl shortcode alias permalink id dropid url path",
    advice: inBothWords(
      (call) =>
        `${call("PUT /api/drops/{slug}", "update_drop")} publishes a new version. The service chooses a slug, which never changes.`,
    ),
  },
  { names: "webhook webhookurl callbackurl notify", advice: "Only the operator can set up webhooks." },
  { names: "domain customdomain subdomain host hostname cname", advice: "The service chooses the host." },
  {
    names: "files filelist pages assets attachments images archive zip bundle css js styles scripts",
    advice:
      'Send one HTML document as "html", or a folder as a zip archive (Content-Type: application/zip). Upload other files as blobs.',
  },
  {
    names: "encoding contentencoding isbase64 base64encoded htmlbase64 base64",
    advice: 'Send "html" as text, not encoded.',
  },
  {
    names: "edits edit patch diff oldstr newstr oldstring newstring strreplace find replace ops",
    words: "append prepend",
    field: "html",
    advice: 'An update replaces the whole page: read it, change it, and send all of it as "html".',
  },
  {
    names:
      "version v versionnumber versionid rev revision sha etag ifmatch baseversion expectedversion parentversion",
    words: "rollback restore revert currentversion activeversion",
    advice: newest,
  },
  { names: "trash trashed intrash deleted isdeleted delete removed archived isarchived", advice: trash },
  { names: "idempotencykey idempotency dedupekey", advice: "Send the key in the header Idempotency-Key." },
  { names: "resolved resolve isresolved close closed", field: "state" },
  { names: "owner ownerid newowner transfer namespace", words: "workspace team", field: "to" },
];

/** Meanings of unknown field names in the body of a sign-in request. */
export const signInIntents: readonly Intent[] = [
  {
    names: "email username user login password phone",
    isIgnored: true,
    advice: inBothWords(
      (call) =>
        `A person signs in at verification_url. Meanwhile, ${call("poll GET /api/auth/poll?token=<poll_token>", "call poll_sign_in with the poll_token")}.`,
    ),
  },
  { names: "scopes permissions", field: "scope", advice: 'Send "scope": "read", "publish" or "all".' },
];

/** Meanings of unknown query parameters that filter results, or whose data belongs elsewhere in the request. */
export const parameterIntents: readonly Intent[] = [
  { names: "limit perpage size count take first top max maxresults maxrecords", field: "pageSize" },
  { names: "cursor after from offset start lastid", field: "since" },
  { names: "page offset skip after nextcursor pagetoken", field: "cursor" },
  { names: "offset skip start cursor after startingafter nextpage pagenumber startcursor", field: "page" },
  { names: "status open resolved unresolved unread filter", field: "state" },
  { names: "sort sortkey orderby order", field: "sortBy", advice: "Send sortBy and sortOrder." },
  { names: "order direction dir sortdir", field: "sortOrder" },
  {
    names: "date",
    words: "since after before",
    field: "sortBy",
    advice: "There is no filter by date: sort with sortBy.",
  },
  { names: "q query search text cql jql keyword keywords term title name", field: "q" },
  { names: "drop dropid id url drops slugs ids", field: "slug" },
  { names: "base a old left v1", field: "from" },
  { names: "head b new right v2", field: "to" },
  { names: "version n ver number rev revision versionid", field: "v" },
  { names: "v n ver number rev revision versionid", field: "version" },
  {
    names: "v version n versionnumber versionid rev revision format as output include",
    isIgnored: true,
    advice: {
      http: "GET /api/drops/{slug}/html?v={n} returns the page as published, and GET /api/drops/{slug}/source returns its Markdown, if it was published as Markdown. DELETE /api/drops/{slug}/v/{n} deletes a version.",
      tool: "read_drop reads one version, and delete_version deletes one.",
    },
  },
  { names: "status state deleted trashed archived includedeleted permanent purge hard force", advice: trash },
  { names: "fields expand select", isIgnored: true, advice: "Responses always contain all fields." },
  { names: "timeout longpoll waitseconds", field: "wait" },
  { names: "author user username account namespace", field: "owner" },
  { names: "owner type kind category filter where in scope", advice: "No such filter." },
];

/** Names that other services use for a field. Such a name is ignored with a warning if the field itself was sent or is optional. */
export const synonyms: Readonly<Record<string, string>> = {
  html: "content contents body page document markup source text markdown md htmlcontent rawhtml htmlbody contenthtml bodyhtml pagehtml code htmlcode htmlstring pastecode",
  text: "content contents body message comment reply html markdown",
  slug: "id ids drop dropid pageid url rawurl link address",
  title: "name subject heading headline pagetitle pastename",
  description: "summary subtitle abstract desc",
  metadata: "tags tag labels label keywords meta project category folder folderid space team workspace",
  original_date: "createdat created publisheddate datepublished date",
  note: "message changelog commitmessage changes",
  namespace: "name login handle team",
  editors: "members users people emails",
  to: "team namespace workspace owner newowner",
  id: "blobid fileid uploadid blob file url tokenid",
  label: "name client clientname agent device",
  filename: "name file",
  state: "status resolved resolve",
  base64: "data bytes blob filedata filecontent content",
  size_bytes: "size bytes length contentlength filesize",
  content_type: "type mime mimetype mediatype",
  version: "v n number to rev revision versionid toversion",
  token: "polltoken devicecode",
  passcode: "code",
  thread: "threadid comment id",
};

/** Advice on features that are missing, or that another call provides. The keys are words for the feature, in the singular. */
export const absentFeatures: Readonly<Record<string, Message>> = {
  "webhook subscription subscribe event notification":
    "Only the operator can set up webhooks. For comments, poll GET /api/feedback with next_since of the last response.",
  "draft schedule validate preview dryrun": "There are no drafts or dry runs: a page is published at once.",
  verify: "A person confirms the code at verification_url. The agent only polls.",
  unlock: "To remove the passcode, send an empty one.",
  archive: "There is no archive. Delete the page, which moves it into the trash, or restrict its readers.",
  "slug rename": "A slug never changes. The title can be edited.",
  tag: "Send tags as keys of metadata, together with the keys to keep: it replaces them all.",
  "health healthz status ping": "There is no status call.",
  "domain host cname": "There are no custom domains.",
  "folder project collection":
    "There are no folders of drops: give drops metadata, and filter by it. Send a folder of files as application/zip.",
  group: "There is no call for groups. Name readers by e-mail address.",
  "user people person directory":
    "There is no list of people. To sign a person in, send POST /api/auth/start.",
  "link sharelink":
    'There are no share links: a drop has one url. "visibility": "unlisted" opens it to anyone with the url.',
  "answer submit submission": "Readers answer on the page itself: no call sends answers.",
  library: 'Drops with "visibility": "public" or "members" appear in the library of other people.',
  "import copy duplicate fork clone": inBothWords(
    (call) =>
      `Pages cannot be imported or copied: send the page with ${call("POST /api/drops", "publish_drop")}.`,
  ),
  "stat analytic metric view": inBothWords(
    (call) => `${call("GET /api/drops/{slug}", "get_drop")} returns the number of views as view_count.`,
  ),
  "rss atom": "An owner's public page has an Atom feed of its drops: add /feed to its address.",
  "css javascript asset index":
    "Publish a folder as a whole. Read one of its files at /p/{slug}/raw/<path>. Upload a single file as a blob.",
  "approve grant accept access":
    'Readers ask for access on the page itself. To grant it, send "visibility": "people" and the old and new "readers" with PATCH /api/drops/{slug}.',
  team: 'POST /api/drops/{slug}/move moves a drop to a team: {"to": "<namespace>"}. GET /api/library?owner=<namespace> lists the drops of a team.',
  "token key credential register signup refresh":
    "An agent gets its token by signing in: POST /api/auth/start, then poll GET /api/auth/poll?token=<poll_token>.",
};

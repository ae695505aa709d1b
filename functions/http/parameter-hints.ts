import { edgeHeaders } from "../core/environment.ts";
import { findHint, findHintForName, type HintTable, normalizeName } from "./hints.ts";
import { patterns } from "./schemas.ts";

// Parameters and headers by which callers mean something that the service has elsewhere, or not at all.

/** Parameters that the deletion of a drop rejects: a version's number does not mean the whole drop. */
export const refusedOfDeletion: HintTable = {
  "v version n":
    "This call deletes the drop with all its versions. To delete one version, send DELETE /api/drops/{slug}/v/{n}.",
  "confirm confirmed confirmation yes sure reason slug id":
    "This call takes no parameter: what its path names is deleted at once, without a question. Leave it out.",
  "soft softdelete trash archive permanent permanently hard force purge undo restore":
    "This call takes no parameter. The drop goes into the trash, where the service has one: POST /api/drops/{slug}/undelete brings it back, and DELETE /api/trash/{slug} deletes it for good.",
};

/** Parameters of a page's bytes. */
export const refusedOfHtml: HintTable = {
  "version n versionid ver rev revision ref at": 'To select the version, send "v", such as ?v=2.',
};

/** Arguments of the tool that reads a part of a page. */
export const refusedOfPart: HintTable = {
  "viewrange lines line range startline endline fromline toline linestart lineend start end":
    'A page is read by characters, not by lines: send "offset" and "limit", and continue at next_offset.',
  "passcode password":
    "No call opens a drop by its passcode: its owner reads it without one, and readers enter theirs on the page.",
  "format as output outputformat markdown contenttype type":
    'A page is read in HTML, as it was published: leave it out. "part": "images" has its pictures, and "context" its context.',
  "maxlength length maxchars maxcharacters maxtokens maxbytes size count chunk chunksize page":
    'To read a part, send "offset" and "limit" in characters, and continue at next_offset.',
};

/** Parameters of a comparison. */
export const refusedOfComparison: HintTable = {
  "a b v v1 v2 version versions base head left right old new since until against with compare before after start end other":
    'To select the versions, send "from" and "to", such as ?from=1&to=2.',
};

/** Parameters of every read that has no such thing: its response would be taken for the part that was asked for. */
export const refusedOfRead: HintTable = {
  "page pagesize perpage limit offset skip cursor after before count size take top first last pagetoken nextcursor startcursor":
    "The response has all of it at once: leave it out.",
  "since until from to start end date period range q query search filter filters where sort sortby orderby order sortorder status state type kind visibility owner":
    "This call has no such filter or order: leave it out, and select from the response.",
};

/** Parameters of every call by which callers send the token or another method. */
export const refusedOfEveryCall: HintTable = {
  "auth accesstoken apikey apitoken bearer key token":
    "An address would be in logs: send the token as the header Authorization: Bearer <token> alone.",
  "method httpmethod methodoverride":
    "Send the method itself, such as curl -X DELETE: a parameter does not change it.",
};

/** Parameters of the account. */
export const noticedOfAccount: HintTable = {
  "include expand embed fields select with usage": {
    advice: "GET /api/me/usage has the account's usage and limits, GET /api/tokens its tokens.",
    isHarmless: true,
  },
};

/** Parameters of a drop's details. */
export const noticedOfDrop: HintTable = {
  "v version n": {
    advice:
      "For a version's size and time, use GET /api/drops/{slug}/v/{n}; for its page, GET /api/drops/{slug}/html?v={n}.",
    isHarmless: true,
  },
  "include expand embed fields select with html content raw format alt acl permissions tagging tags versions versionid revision revisions":
    {
      advice:
        "The response has every field of the drop. Its page is at GET /api/drops/{slug}/html, its versions at GET /api/drops/{slug}/versions.",
      isHarmless: true,
    },
};

/** Parameters of a render: a caller means a version, and would be told of the latest. */
export const refusedOfRender: HintTable = {
  "version ver n number versionnumber rev revision": 'To select the version, send "v", such as ?v=2.',
  "view views width viewport size device scheme colorscheme theme format": {
    advice: "The report has every view; each has a picture with an address of its own.",
    isHarmless: true,
  },
};

/** Parameters of the list of comments: a caller would get what was not asked for. */
export const refusedOfFeedback: HintTable = {
  "cursor after from offset start startingafter sinceid lastid nextsince page pagetoken nextcursor skip number sequence before until":
    'To continue, send "since" with next_since of the last response. To start with the first comment, leave it out.',
  "drop dropid id url drops slugs": 'To select one drop, send "slug", such as ?slug=aB3dE5f.',
  "status resolved open isopen isresolved unresolved unread new answered unanswered filter":
    'To select threads, send "state": all, open or resolved.',
  "thread threadid":
    'Threads cannot be listed alone. Send "slug" to select a drop; each comment names its thread.',
  "limit pagesize perpage size count take first max maxresults": {
    advice: "A response has up to 50 comments. If has_more is true, call again with next_since.",
    isHarmless: true,
  },
  "timeout timeoutseconds timeoutsec timeoutms waitseconds waitfor poll longpoll block waitms": {
    advice: 'To wait for a comment, send "wait" with up to 25 seconds.',
    isHarmless: true,
  },
};

/** Parameters of the list of drops by which a caller would take an unfiltered list for a filtered one. None is the key of a tag. */
const listParameters: HintTable = {
  "html content body markdown":
    'GET publishes nothing: send POST /api/drops with {"title": …, "html": …}, or the page itself as the body with Content-Type: text/html.',
  "prefix delimiter folder folderid path dir directory parent parentid collection space spaceid bucket site siteid team teamid workspace workspaceid org orgid account accountid user userid author owner ownerid shared sharedwithme scope":
    "The list has all drops of your account, which have no folders and teams. Tags filter it: metadata.<key>=<value>. GET /api/library lists what others share.",
  "limit perpage pagesize size count take top first maxresults maxrecords pagelimit":
    "How many drops a page has is said by pageSize, from 1 to 200.",
  "offset skip start cursor after before startingafter endingbefore nextcursor nextpage pagenumber pageno pagetoken":
    "The next drops are on the next page: page=2.",
  "sort orderby sortkey sortfield sortby order ordering direction dir sortorder sortdir sortdirection":
    "The order is said by sortBy: created_at, updated_at or view_count, and its direction by sortOrder: desc or asc.",
  "fields select include includehtml withhtml expand":
    "The list has every detail of a drop, and no pages: GET /api/drops/{slug}/html is the page of one.",
  "status state deleted trashed archived includedeleted showdeleted withdeleted includetrashed includearchived includeexpired":
    "GET /api/trash lists deleted and expired drops; this list has those that are published.",
  "visibility private public locked readers description version latestversion createdat createdafter createdbefore updatedat updatedafter updatedbefore modifiedsince updatedsince createdsince modifiedafter since until viewcount":
    "Drops cannot be filtered or cut by it: list them, and select those that you want. sortBy=created_at or updated_at puts the newest first.",
};

/** Parameters by which callers search, in whose value or name there may be the key of a tag. */
const searchParameters: HintTable = {
  "title name q query search":
    "Drops are filtered by tags, not by their words: metadata.<key>=<value>. To find one by its words, call GET /api/search?q=<words>.",
  "slug id url slugs ids": "To look up one drop, call GET /api/drops/{slug}, with its slug or its url.",
  "filter filters filterbyformula formula cql jql sql soql odata where tag tags metadata":
    "Drops are found by their tags alone: metadata.<key>=<value>, as often as there are tags. To find one by its words, call GET /api/search?q=<words>.",
};

/** Parameters for caches, logs and JSON formatting, which filter nothing. */
const neutral =
  /^(_|t|ts|cb|rnd|rand|nonce|timestamp|nocache|cachebust(er)?|pretty|format|lang|locale|utm_\w+)$/i;

/** Refuses an unknown list parameter. Undefined for a neutral parameter. */
export function explainListParameter(name: string, value: string): string | undefined {
  if (neutral.test(name)) return undefined;
  const word = normalizeName(name);
  const ofList = findHintForName(listParameters, name, isPagingWord);
  if (ofList !== undefined) return ofList.advice;
  const key = keyIn(name, value);
  if (key !== undefined) return `A filter is written metadata.${key}=<value>.`;
  return (findHint(searchParameters, word) ?? findHint(searchParameters, "tags"))?.advice;
}

function isPagingWord(word: string): boolean {
  return /^(cursor|limit|offset|sort|order|since)$/.test(word);
}

/** Refuses an unknown parameter of the library's list. */
export function explainLibraryParameter(name: string, value: string): string {
  const key = /^(tags?|labels?|filters?|where|category|project|team|meta.*)\b/i.test(name)
    ? (keyIn(name, value) ?? "<key>")
    : "";
  return key === "" ? "" : `A filter is written metadata.${key}=<value>.`;
}

/** Refuses an unknown parameter of the list of files. */
export function explainFileParameter(name: string): string {
  return findHint(fileParameters, normalizeName(name))?.advice ?? "";
}

const fileParameters: HintTable = {
  "q query search name filename title fulltext filter type mimetype contenttype":
    "Files cannot be searched or filtered: list them, and select those that you want. GET /api/search?q=… searches the text of pages, which are drops and not files.",
  "fields select include spaces corpora": "The response has every field of a file: leave it out.",
  "prefix folder folderid parent parents path drop dropid slug page_id":
    "Files are in no folder or drop: GET /api/blobs lists all of the account's.",
  "sort sortby order orderby direction": "The newest file comes first, and there is no other order.",
};

/** Parameters of a search, which callers write as qualifiers in `q` too. */
const searchQualifiers: HintTable = {
  "metadata meta tag tags label labels filter filters where":
    "To search pages with a tag, send the parameter metadata.<key>=<value>.",
  "owner author user by creator account namespace":
    "To search one person's pages, send the parameter owner=<name>.",
  "since after from start created createdat updated updatedat modified newer newerthan date":
    "To search what has changed since a time, send the parameter since in Unix milliseconds.",
  "before until to end older olderthan": "A search takes no last time: since is the earliest.",
  "type kind category in fields field scope title intitle text intext content description context file filename is has":
    "A search looks through all parts of every page: leave it out.",
  "sort sortby sortorder order orderby": "The most relevant results come first: leave it out.",
};

/** Refuses an unknown parameter of a search. */
export function explainSearchParameter(name: string): string {
  return findHint(searchQualifiers, normalizeName(name))?.advice ?? "";
}

/** Words that callers send for a number. */
const numberWords: HintTable = { "latest current head newest last": "Leave it out for the latest." };

/** Numbers of comments, which callers take for times. */
export const sinceIsNumber =
  "It is next_since of the last response, the number of a comment and no date. Leave it out to start with the first comment.";

/** Times in milliseconds that are below it are before 1973: callers send seconds. */
const millisecondsMin = 1e11;

/** Recognizes a time in seconds. 0 stands for every time. */
export function isInSeconds(time: number): boolean {
  return time > 0 && time < millisecondsMin;
}

/** Says what to send in place of a word or a date that is no number. */
export function explainNumber(text: string, ofDate?: string): string | undefined {
  const atMs = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(atMs)) return findHint(numberWords, text.toLowerCase())?.advice;
  return ofDate ?? `In Unix milliseconds, it is ${atMs}.`;
}

/** The same of an upsert, whose parameters say which drop is meant. */
export function explainUpsertParameter(name: string, value: string): string | undefined {
  if (neutral.test(name)) return undefined;
  if (["slug", "id", "url"].includes(normalizeName(name)))
    return "By its slug, a drop is updated with PUT /api/drops/{slug}.";
  const key = keyIn(name, value) ?? "<key>";
  return `Which drop is meant is said by its tags: metadata.${key}=<value>.`;
}

/** The same of a page as the body, whose tags are parameters. */
export function explainTagParameter(name: string): string | undefined {
  const key = /^meta|^tags?\W/i.test(name) ? keyIn(name, "") : undefined;
  return key === undefined ? undefined : `A tag is written metadata.${key}=<value>.`;
}

/** The tag that a parameter means, as far as it can be seen. */
function keyIn(name: string, value: string): string | undefined {
  const [, inName] =
    /^(?:meta(?:data|[._:[-])|(?:filters?|where|tags?)[.:[])[.:_[-]*(.*?)\]?$/i.exec(name) ?? [];
  const inValue = /^(metadata|meta|filters?|tags?)$/i.test(name)
    ? /^\W*(?:metadata\.)?(\w[\w-]*)["'\s]*[:=]/.exec(value)?.[1]
    : undefined;
  const key = (
    inName ||
    inValue ||
    (findHint(searchParameters, normalizeName(name)) ? "" : name)
  ).toLowerCase();
  return patterns.metadataKey.test(key) && key !== "metadata" ? key : undefined;
}

export const upsertAdvice =
  "PUT /api/drops?metadata.<key>=<value> publishes to the drop with this tag, or to a new one.";

export const tagAdvice = 'Tags are metadata: send "metadata": {"team": "ops"} as a field of the JSON body.';

const describesPage =
  "Send it as a field of the JSON body, or beside a page or file as a query parameter, such as ?title=….";

/** Headers for another method, which reads have too. */
export const otherMethodHeaders = {
  [`${edgeHeaders.method} x-http-method x-method-override`]:
    "Send the method itself, such as curl -X DELETE: X-HTTP-Method-Override and its like are not supported.",
} as const satisfies HintTable;

/** Headers of other services by which a caller means something that would be dropped. Exact names: proxies add headers of their own. */
export const refusedHeaders = {
  "x-title x-name x-description x-note x-context x-tags x-metadata x-feedback x-indexed": describesPage,
  "x-visibility x-private x-public x-access x-readers x-acl x-amz-acl x-goog-acl": `The field "visibility" says who can read it: "public", "unlisted" (everybody with the link), "members", or "people" with "readers". ${describesPage}`,
  "x-password x-passcode":
    'Send "passcode" as a field of the JSON body of a new drop, or lock a drop with POST /api/drops/{slug}/passcode.',
  "x-expires x-expires-at x-expires-in x-expiry x-expire-after x-expiration x-ttl x-delete-after":
    'To have a drop expire, send "expires_in_days" or "expires_at" as a field of the JSON body; for a file, as a query parameter of POST /api/blobs.',
  "slug x-slug x-id x-url x-path":
    "The service chooses the address. PUT /api/drops/{slug} publishes a new version of a drop that exists.",
  "x-upsert x-overwrite": upsertAdvice,
  "x-filename x-file-name": "POST /api/blobs?filename=chart.png names a file in its address.",
  "x-amz-tagging": tagAdvice,
  "x-idempotency-key x-idempotency": "To repeat a call safely, send the header Idempotency-Key.",
  ...otherMethodHeaders,
  "x-dry-run": "There are no trial runs.",
  "content-range upload-offset upload-length x-goog-upload-command x-goog-upload-protocol x-upload-content-length":
    "Send the whole body at once. POST /api/blobs/uploads gives an address for a large file.",
  "if-none-match":
    "Only reads have it: POST always makes something new, and PUT /api/drops/{slug} changes a drop that exists. To change only what you have read, send its ETag as the header If-Match.",
  "if-unmodified-since": "To change only what you have read, send its ETag as the header If-Match.",
} as const satisfies HintTable;

import { normalizeName } from "../http/input-hints.ts";
import type { RejectedNames } from "../http/route.ts";
import { patterns, quote } from "../http/schemas.ts";

/** Other names of visibility and readers. */
export const readingNames: readonly RejectedNames[] = [
  {
    names: [
      ...[
        "private",
        "isprivate",
        "public",
        "ispublic",
        "unlisted",
        "isunlisted",
        "hidden",
        "secret",
        "internal",
      ],
      ...["draft", "isdraft", "published", "restricted", "access", "accesslevel", "privacy", "permissions"],
      ...["permission", "acl", "noindex", "membersonly"],
    ],
    advice:
      'To restrict its readers, send visibility: "public", "unlisted" (everybody with the link), "members", or "people" with readers.',
  },
  {
    names: [
      ...[
        "allow",
        "allowed",
        "alloweduser",
        "allowedusers",
        "allowedemails",
        "allowlist",
        "sharedwith",
        "sharewith",
      ],
      ...["share", "viewers", "viewer", "emails", "recipients", "audience", "invite", "invited", "users"],
    ],
    advice:
      'To name readers, send "visibility": "people" with "readers": ["ada@example.com", "@example.com", "username:ada", "group:engineering"].',
  },
];

/** Other names of the passcode. */
export const passcodeNames = [
  ...[
    "password",
    "passphrase",
    "pin",
    "pass",
    "locked",
    "lock",
    "islocked",
    "protected",
    "passwordprotected",
  ],
] as const;

/** Other names of the expiry. */
export const expiryNames = [
  ...[
    "expires",
    "expiresin",
    "expiresat",
    "expiry",
    "expiration",
    "expirationdate",
    "ttl",
    "maxage",
    "deleteat",
  ],
  ...[
    "deleteafter",
    "lifetime",
    "validuntil",
    "expire",
    "expiresinseconds",
    "expiresinhours",
    "expiresindays",
  ],
  ...["expirydays", "expirydate", "ttldays", "ttlseconds", "expireat", "expirein", "expiryat"],
] as const;

const addressNames = [
  ...["slug", "customslug", "shortcode", "alias", "vanity", "dropid", "permalink", "path"],
] as const;
const pageNames = ["content", "body", "page", "document", "markup", "source", "markdown", "md"] as const;
const otherWay =
  'POST /api/drops/{slug}/passcode with {"passcode": "…"} locks the drop, and the empty string unlocks it.';

const passcodeElsewhere: RejectedNames = { names: ["passcode", ...passcodeNames], advice: otherWay };

const expiry: RejectedNames = {
  names: expiryNames,
  advice:
    'To have the drop expire, send "expires_in_days" from 1 to 3650, or "expires_at" in Unix milliseconds. null means never.',
};

const expiryElsewhere: RejectedNames = {
  names: expiryNames,
  advice: 'To have the drop expire, send PATCH /api/drops/{slug} with "expires_in_days" or "expires_at".',
};

const domain: RejectedNames = {
  names: ["domain", "customdomain", "subdomain", "host", "hostname", "cname"],
  advice:
    "The service chooses the host of a drop's address, by its owner. The operator sets the domain for all of them.",
};

/** States of other services, where a page is first a draft. */
const states: RejectedNames = {
  names: ["status", "state", "stage", "poststatus", "publishstatus", "isactive", "archived", "isarchived"],
  advice:
    'A drop is published at once: there are no drafts and no archive. "visibility" says who can read it: "unlisted" (everybody with the link), "people" with "readers".',
};

/** Messages to people and programs. */
const notices: RejectedNames = {
  names: [
    ...["notify", "notifications", "notifyemails", "sendemail", "sendnotification", "subscribers", "webhook"],
    ...["webhooks", "webhookurl", "callback", "callbackurl", "hook", "channel", "slackchannel", "mention"],
  ],
  advice:
    "Nobody is notified: send the drop's url yourself. Webhooks are set by the operator for the whole service.",
  isHarmless: true,
};

/** Names of authors, which pages of other services have. */
const authors: RejectedNames = {
  names: ["author", "authors", "authorid", "owner", "ownerid", "createdby", "username", "userid", "byline"],
  advice: "A drop belongs to the account of the token. Write an author into the page or its metadata.",
  isHarmless: true,
};

/** Places in other services. */
const places: RejectedNames = {
  names: [
    ...["folder", "folderid", "parent", "parentid", "space", "spaceid", "collection", "collectionid"],
    ...["team", "teamid", "workspace", "workspaceid", "organization", "org", "group", "bucket", "siteid"],
  ],
  advice: 'There are no folders and teams to publish into. Tag the drop: "metadata": {"team": "ops"}.',
  isHarmless: true,
};

/** Encodings of the page's text. */
const encodings: RejectedNames = {
  names: ["encoding", "contentencoding", "isbase64", "base64", "compression", "gzip"],
  advice: "html is the page's text itself: decode it, and leave this out.",
};

/** Times that callers set. */
const times: RejectedNames = {
  names: ["createdat", "updatedat", "created", "updated", "modifiedat", "modified", "lastmodified"],
  advice:
    'Only the service sets the times of a drop. For a page that was published elsewhere before, send "original_date" in Unix milliseconds.',
  isHarmless: true,
};

/** Fields of every write that have a meaning elsewhere, and none here. */
const elsewhere: readonly RejectedNames[] = [domain, states, notices, authors, places, encodings, times];

const sameSlug: RejectedNames = {
  names: addressNames,
  advice: "A drop's slug is part of its address and never changes.",
};

const expected: RejectedNames = {
  names: ["expectedversion", "ifversion", "ifmatch", "baseversion", "expectedlatestversion", "etag"],
  advice: "To change only the version that you have read, send its ETag as the header If-Match.",
};

/** Read-only fields, which clients read from a drop and send back. */
const onlyRead: RejectedNames = {
  names: ["url", "rawurl", "latestversion", "viewcount", "sha256", "sizebytes", "version"],
  advice:
    "Only the service sets it. To change only the version that you have read, send its ETag as the header If-Match.",
  isHarmless: true,
};

/** Ways to name indexing by search engines. They come before `readingNames`, which share some names. */
const indexing: RejectedNames = {
  names: [
    ...["noindex", "index", "isindexed", "indexable", "indexing", "searchable", "discoverable", "crawlable"],
    ...["robots", "listed", "islisted", "seo", "searchengines", "searchindexed"],
  ],
  advice:
    'Search engines list a drop only with "indexed": true. The owner\'s page lists every drop with visibility "public".',
};

/** Ways to name feedback. */
const words: RejectedNames = {
  names: ["comments", "commenting", "allowcomments", "commentsenabled", "feedbackenabled", "allowfeedback"],
  advice: 'To let readers comment, send "feedback": "readers". To stop comments, send "feedback": "off".',
};

const tags: RejectedNames = {
  names: ["tags", "tag", "labels", "keywords", "project", "meta", "category"],
  advice: 'Tags are metadata: send "metadata": {"project": "…"}.',
  isHarmless: true,
};

/** Ways to send several files, or one as an archive. */
const files: RejectedNames = {
  names: ["files", "filelist", "pages", "assets", "attachments", "images", "archive", "zip", "bundle"],
  advice:
    'A drop is one HTML page: send it as "html", with its styles, scripts and pictures inside. Upload other files with POST /api/blobs.',
  insteadOf: "html",
};

/** Ways to send a page in parts. */
const parts: RejectedNames = {
  names: ["css", "style", "styles", "stylesheet", "js", "javascript", "script", "scripts", "head"],
  advice: "A drop is one HTML document: write styles into <style> and scripts into <script> of html.",
};

/** Ways to ask for an update of the drop that there may be. */
const upserting: RejectedNames = {
  names: [
    ...["upsert", "update", "overwrite", "replace", "force", "ifexists", "onconflict", "createorupdate"],
    ...["replaceexisting", "updateexisting"],
  ],
  advice:
    "This call publishes a new drop each time. To publish to the drop with the same tags, or else a new one, send PUT /api/drops?metadata.<key>=<value>.",
};

/** Ways to publish later, for a time, or not at all. */
const otherTimes: RejectedNames = {
  names: [
    ...[
      "dryrun",
      "preview",
      "validateonly",
      "publishat",
      "publishon",
      "publishdate",
      "scheduledat",
      "scheduledfor",
    ],
    ...["schedule", "burnafterreading", "burn", "onetime", "oneview", "selfdestruct", "maxviews"],
    ...[
      "viewlimit",
      "publishedat",
      "publicationdate",
      "publishtime",
      "datepublished",
      "date",
      "test",
      "simulate",
    ],
  ],
  advice:
    'A drop is published at once, and stays until it expires or is deleted: there are no trial runs, schedules and single views. A date in the past is "original_date".',
};

/** Addresses of pages elsewhere. */
const fetched: RejectedNames = {
  names: [
    ...[
      "sourceurl",
      "fromurl",
      "pageurl",
      "importurl",
      "fetchurl",
      "src",
      "htmlurl",
      "contenturl",
      "fileurl",
    ],
    ...["htmlfile", "htmlpath", "filepath", "s3key"],
  ],
  advice: 'The service fetches no pages and reads no files of yours: send the text of the page as "html".',
  insteadOf: "html",
};

/** The address of a new drop, which may be that of a page elsewhere. */
const address: RejectedNames = {
  names: ["id", "url", "rawurl", "uri", "link"],
  advice:
    'The service chooses the address, and fetches no pages. To publish a new version of an existing drop, send PUT /api/drops/{slug}. To publish a page from elsewhere, send its text as "html".',
  insteadOf: "html",
};

/** Changes of a part of the page. */
const edits: RejectedNames = {
  names: [
    ...[
      "edits",
      "edit",
      "patch",
      "diff",
      "oldstr",
      "newstr",
      "oldstring",
      "newstring",
      "find",
      "replacement",
    ],
    ...["search", "replacements", "operations", "ops", "append", "prepend", "blocks", "children"],
  ],
  advice: 'A page is replaced as a whole: send PUT /api/drops/{slug} with the complete page as "html".',
  insteadOf: "html",
};

/** Fields that a new drop of an upsert rejects. */
export const refusedOfUpsert: readonly RejectedNames[] = [
  indexing,
  words,
  ...readingNames,
  {
    names: passcodeNames,
    advice: 'To lock the drop from the start, send "passcode" with at least 4 characters.',
  },
  {
    names: addressNames,
    advice:
      "The service chooses the slug of a new drop. To publish a new version of an existing drop, send PUT /api/drops/{slug}.",
  },
  expiry,
  otherTimes,
  fetched,
  address,
  files,
  parts,
  ...elsewhere,
  onlyRead,
  tags,
];

/** Fields that a new drop rejects. */
export const refusedOfNewDrop: readonly RejectedNames[] = [upserting, ...refusedOfUpsert];

/** Fields that a new version rejects. */
export const refusedOfNewVersion: readonly RejectedNames[] = [
  indexing,
  words,
  ...readingNames,
  passcodeElsewhere,
  sameSlug,
  expiry,
  otherTimes,
  expected,
  fetched,
  edits,
  files,
  parts,
  ...elsewhere,
  onlyRead,
  tags,
];

/** Fields that a started publication rejects. */
export const refusedOfComingPage: readonly RejectedNames[] = [
  { names: ["html", ...pageNames], advice: "Send the page as the body to the url of the response." },
  address,
  ...refusedOfNewVersion,
];

/** Fields that an edit rejects; it makes no version. */
export const refusedOfEdit: readonly RejectedNames[] = [
  indexing,
  words,
  ...readingNames,
  passcodeElsewhere,
  sameSlug,
  expiry,
  expected,
  {
    names: pageNames,
    code: "metadata_only_on_patch",
    advice: "PATCH does not change the page. Send html with PUT /api/drops/{slug} for a new version.",
  },
  {
    names: ["context", "note"],
    advice: "It belongs to a version. Send it with html and PUT /api/drops/{slug}.",
  },
  otherTimes,
  fetched,
  edits,
  ...elsewhere,
  onlyRead,
  tags,
];

/** Fields that a passcode change rejects. */
export const refusedWithPasscode: readonly RejectedNames[] = [
  indexing,
  words,
  ...readingNames,
  expiryElsewhere,
  expected,
];

/** Parameters that the deletion of a drop rejects: a version's number does not mean the whole drop. */
export const refusedOfDeletion: readonly RejectedNames[] = [
  {
    names: ["v", "version", "n"],
    advice:
      "This call deletes the drop with all its versions. To delete one version, send DELETE /api/drops/{slug}/v/{n}.",
  },
  {
    names: [
      "soft",
      "softdelete",
      "trash",
      "archive",
      "permanent",
      "permanently",
      "hard",
      "force",
      "purge",
      "undo",
      "restore",
    ],
    advice:
      'There is no trash: deletion is final, without a parameter. To hide the drop instead, send PATCH /api/drops/{slug} with {"visibility": "people"} and your own address in "readers".',
  },
];

/** Ways to name the page's bytes. */
export const refusedOfHtml: readonly RejectedNames[] = [
  { names: ["version", "n"], advice: 'To select the version, send "v", such as ?v=2.' },
];

/** Ways to name the versions of a comparison. */
export const refusedOfComparison: readonly RejectedNames[] = [
  {
    names: [
      ...["a", "b", "v", "v1", "v2", "version", "versions", "base", "head", "left", "right", "old", "new"],
      ...["since", "until", "against", "with", "compare", "before", "after", "start", "end", "other"],
    ],
    advice: 'To select the versions, send "from" and "to", such as ?from=1&to=2.',
  },
];

/** Ways to name a drop's details. */
export const noticedOfDrop: readonly RejectedNames[] = [
  {
    names: ["v", "version", "n"],
    advice:
      "For a version's size and time, use GET /api/drops/{slug}/v/{n}; for its page, GET /api/drops/{slug}/html?v={n}.",
    isHarmless: true,
  },
  {
    names: ["include", "expand", "embed", "fields", "select", "with", "html", "content", "raw", "format"],
    advice:
      "The response has every field of the drop. Its page is at GET /api/drops/{slug}/html, its versions at GET /api/drops/{slug}/versions.",
    isHarmless: true,
  },
];

const pageSizes = [
  "limit",
  "perpage",
  "pagesize",
  "size",
  "count",
  "take",
  "first",
  "maxresults",
  "pagelimit",
];
const offsets = ["offset", "skip", "start", "cursor", "after", "before", "pagenumber", "pageno", "pagetoken"];
const orders = ["sort", "orderby", "sortkey", "sortfield", "sortby"];
const directions = ["order", "direction", "dir", "sortorder", "sortdir", "sortdirection"];

/** Parameters for caches, logs and JSON formatting, which filter nothing. */
const neutral =
  /^(_|t|ts|cb|rnd|rand|nonce|timestamp|nocache|cachebust(er)?|pretty|format|lang|locale|utm_\w+)$/i;

/** Parameters with which callers look for a drop by its title or text. */
const titles = ["title", "name", "q", "query", "search", "subject", "text"];

/** Parameters that callers search by. None is the key of a tag. */
const searches = [
  "q",
  "query",
  "search",
  "filter",
  "filters",
  "where",
  "tag",
  "tags",
  "title",
  "name",
  "slug",
  "id",
  "url",
];

/** Fields of a drop, and other ways to select. No filter has them. */
const notFilters = [
  ...[
    "visibility",
    "private",
    "public",
    "status",
    "locked",
    "readers",
    "description",
    "version",
    "latestversion",
  ],
  ...["fields", "select", "include", "expand", "createdat", "createdafter", "createdbefore", "updatedat"],
  ...["updatedafter", "updatedbefore", "modifiedsince", "since", "until", "before", "after", "viewcount"],
];

/**
 * Refuses an unknown list parameter. Its caller would take an unfiltered list for a filtered one. Undefined for a
 * neutral parameter.
 */
export function explainListParameter(name: string, value: string): string | undefined {
  if (neutral.test(name)) return undefined;
  const word = normalizeName(name);
  if (pageSizes.includes(word)) return "How many drops a page has is said by pageSize, from 1 to 200.";
  if (offsets.includes(word)) return "The next drops are on the next page: page=2.";
  if (orders.includes(word)) return "The order is said by sortBy: created_at, updated_at or view_count.";
  if (directions.includes(word)) return "The direction is said by sortOrder: desc or asc.";
  if (notFilters.includes(word))
    return `Drops cannot be filtered or cut by ${quote(name)}: list them, and select those that you want. sortBy=created_at or updated_at puts the newest first.`;
  const key = keyIn(name, value);
  if (key !== undefined) return `A filter is written metadata.${key}=<value>.`;
  if (titles.includes(word))
    return "Drops are filtered by tags, not by their words: metadata.<key>=<value>. To find one by its title, list all with GET /api/drops?pageSize=200.";
  if (addressNames.some((one) => one === word) || ["id", "url", "rawurl"].includes(word))
    return "To look up one drop, call GET /api/drops/{slug}, with its slug or its url.";
  return "Drops are found by their tags alone: metadata.<key>=<value>, as often as there are tags.";
}

/** The same of an upsert, whose parameters say which drop is meant. */
export function explainUpsertParameter(name: string, value: string): string | undefined {
  if (neutral.test(name)) return undefined;
  if (["slug", "id", "url"].includes(normalizeName(name)))
    return "By its slug, a drop is updated with PUT /api/drops/{slug}.";
  const key = keyIn(name, value) ?? "<key>";
  return `Which drop is meant is said by its tags: metadata.${key}=<value>.`;
}

/** The tag that a parameter means, as far as it can be seen. */
function keyIn(name: string, value: string): string | undefined {
  const [, inName] = /^meta(?:data|\.|_|-|:|\[)[.:_[-]*(.*?)\]?$/i.exec(name) ?? [];
  const inValue = /^(metadata|meta|filters?|tags?)$/i.test(name)
    ? /^\W*(\w[\w.-]*)["'\s]*[:=]/.exec(value)?.[1]
    : undefined;
  const key = (inName || inValue || (searches.includes(normalizeName(name)) ? "" : name)).toLowerCase();
  return patterns.metadataKey.test(key) && key !== "metadata" ? key : undefined;
}

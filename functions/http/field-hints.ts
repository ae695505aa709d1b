import { type HintTable, joinHints } from "./hints.ts";

// Names of fields by which callers mean something that the service has elsewhere, or not at all.

const passcodeNames = "password passphrase pin pass locked lock islocked protected passwordprotected";
const expiryNames =
  "expires expiresin expiresat expiry expiration expirationdate ttl maxage deleteat deleteafter lifetime validuntil expire expiresinseconds expiresinhours expiresindays expirydays expirydate ttldays ttlseconds expireat expirein expiryat";
const addressNames =
  "slug newslug newurl newid newpath targetslug customurl vanityurl urlslug customslug shortcode alias vanity dropid permalink path";
const tagNames = "tags tag labels keywords project meta category";
const pageNames = "content body page document markup source markdown md";

/** Words that tell alone what a longer name is about, such as `passwordProtection` or `burn_after_read`. */
const tellingWords = new Set(
  `${passcodeNames} ${expiryNames} passcode private unlisted unresolved resolved unread readers viewers permissions acl privacy invite unlist unshare unpublish restrict restricted draft schedule scheduled burn css javascript stylesheet trash trashed append prepend`.split(
    " ",
  ),
);

/** Recognizes a word by which an unknown field means readers, passcode, lifetime or a part of the page. */
export function isTellingWord(word: string): boolean {
  return tellingWords.has(word);
}

/** Meanings of values that callers mistake for others, and what belongs to them, by field. */
export const valueMeanings = {
  visibility:
    '"public": everybody, and listed on the owner\'s page. "unlisted": everybody with the link. "members": those who may publish here. "people": those in "readers", such as ["ada@example.com"]. For a private drop, send "people" with your own e-mail address.',
  feedback: '"readers": readers can write comments. "off": they cannot.',
  sortBy: "The order is sortOrder: desc or asc.",
  version: "It is the number of a version, counted from 1: GET /api/drops/{slug}/versions lists them.",
  files:
    'It is an object of paths: {"index.html": {"sha256": "…", "bytes": …}}. The contents go by PUT to the addresses of the response. To send a folder at once, send a zip archive with Content-Type: application/zip.',
} as const satisfies HintTable;

/** Visibility and readers. */
const reading: HintTable = {
  "role roles permission permissions accesslevel canedit editors cancomment commenters collaborators contributors":
    'Only the owner changes a drop. To name readers, send "visibility": "people" with "readers": ["ada@example.com"]. To let them comment, send "feedback": "readers".',
  "private isprivate public ispublic unlisted isunlisted hidden secret internal draft isdraft published restricted access privacy acl noindex membersonly unlist unpublish unshare hide makepublic makeprivate":
    'To restrict its readers, send visibility: "public", "unlisted" (everybody with the link), "members", or "people" with readers.',
  "readers allow allowed alloweduser allowedusers allowedemails allowlist sharedwith sharewith share viewers viewer emails recipients audience invite invited users with people addreaders invitees email emailaddress useremail useremails group groups readergroups":
    'To name readers, send "visibility": "people" with the whole list as "readers": ["ada@example.com", "@example.com", "username:ada", "group:engineering"].',
};

const passcodeElsewhere: HintTable = {
  [`passcode ${passcodeNames}`]:
    'POST /api/drops/{slug}/passcode with {"passcode": "…"} locks the drop, and the empty string unlocks it.',
};

/** Fields that a page as the body has in its address in another form. */
const besidePage: HintTable = {
  [tagNames]: "Tags are metadata: send one parameter for each, such as ?metadata.team=ops.",
  [`passcode ${passcodeNames}`]:
    "A passcode in an address would be in logs: send JSON, or lock the drop with POST /api/drops/{slug}/passcode.",
};

const expiry: HintTable = {
  [expiryNames]:
    'To have the drop expire, send "expires_in_days" from 1 to 3650, or "expires_at" in Unix milliseconds. null means never.',
};

const expiryElsewhere: HintTable = {
  [expiryNames]:
    'To have the drop expire, send PATCH /api/drops/{slug} with "expires_in_days" or "expires_at".',
};

/** Fields of every write that have a meaning in other services. */
const elsewhere: HintTable = {
  "trash trashed intrash istrashed deleted isdeleted delete remove removed":
    "DELETE /api/drops/{slug} moves a drop into the trash, and POST /api/drops/{slug}/undelete brings it back.",
  "domain customdomain subdomain host hostname cname":
    "The service chooses the host of a drop's address, by its owner. The operator sets the domain for all of them.",
  "status state stage poststatus publishstatus isactive archived isarchived":
    'A drop is published at once: there are no drafts and no archive. "visibility" says who can read it: "unlisted" (everybody with the link), "people" with "readers".',
  "notify notifications notifyemails sendemail sendnotification subscribers webhook webhooks webhookurl callback callbackurl hook channel slackchannel mention":
    {
      advice:
        "Nobody is notified: send the drop's url yourself. Webhooks are set by the operator for the whole service.",
      isHarmless: true,
    },
  "idempotencykey idempotency requestid clienttoken clientrequestid dedupekey":
    "To repeat a call safely, send the header Idempotency-Key.",
  "author authors authorid owner ownerid createdby username userid byline": {
    advice: "A drop belongs to the account of the token. Write an author into the page or its metadata.",
    isHarmless: true,
  },
  "folder folderid parent parentid space spaceid collection collectionid team teamid workspace workspaceid organization org bucket siteid":
    {
      advice: 'There are no folders and teams to publish into. Tag the drop: "metadata": {"team": "ops"}.',
      isHarmless: true,
    },
  "encoding contentencoding isbase64 base64 compression gzip":
    "html is the page's text itself: decode it, and leave this out.",
  "createdat updatedat created updated modifiedat modified lastmodified": {
    advice:
      'Only the service sets the times of a drop. For a page that was published elsewhere before, send "original_date" in Unix milliseconds.',
    isHarmless: true,
  },
};

const sameSlug: HintTable = { [addressNames]: "A drop's slug is part of its address and never changes." };

const expected: HintTable = {
  "expectedversion ifversion ifmatch baseversion expectedlatestversion etag sha baserevision parentrevision expectedrevision currentversion previousversion":
    "To change only the version that you have read, send its ETag as the header If-Match.",
};

/** The number of an earlier version that readers are to see. */
const restoring: HintTable = {
  "version v versionnumber versionid rev revision latestversionnumber":
    'The service numbers the versions: leave it out to publish the next one. To publish an earlier version as the newest, send POST /api/drops/{slug}/restore with {"version": 1}. To change only the version that you have read, send its ETag as the header If-Match.',
  "currentversion activeversion liveversion publishedversion headversion defaultversion pinnedversion rollback rollbackto restore restoreto restoreversion revert revertto":
    'To publish an earlier version as the newest, send POST /api/drops/{slug}/restore with {"version": 1}. To change only the version that you have read, send its ETag as the header If-Match.',
};

/** Read-only fields, which clients read from a drop and send back. */
const onlyRead: HintTable = {
  "url rawurl latestversion viewcount sha256 sizebytes version": {
    advice:
      "Only the service sets it. To change only the version that you have read, send its ETag as the header If-Match.",
    isHarmless: true,
  },
};

/** Search engines and comments. They come before `reading`, which shares some words. */
const indexingAndFeedback: HintTable = {
  "noindex index isindexed indexable indexing searchable discoverable crawlable robots listed islisted seo searchengines searchindexed":
    'Search engines list a drop only with "indexed": true. The owner\'s page lists every drop with visibility "public".',
  "comments commenting allowcomments commentsenabled feedbackenabled allowfeedback":
    'To let readers comment, send "feedback": "readers". To stop comments, send "feedback": "off".',
};

const tags: HintTable = {
  [tagNames]: {
    advice: 'Tags are metadata: send "metadata": {"project": "…"}.',
    isHarmless: true,
  },
};

/** Several files, an archive, or a page in parts. */
const files: HintTable = {
  "files filelist pages assets attachments images archive zip bundle": {
    advice:
      'Send one HTML page as "html", with its styles, scripts and pictures inside, or a folder as a zip archive with Content-Type: application/zip. Upload other files with POST /api/blobs.',
    insteadOf: "html",
  },
  "css style styles stylesheet js javascript script scripts head":
    "A drop is one HTML document: write styles into <style> and scripts into <script> of html.",
};

/** A page that is published later, for a time or not at all, or that is to be fetched. */
const notAtOnce: HintTable = {
  "dryrun preview validateonly publishat publishon publishdate scheduledat scheduledfor schedule burnafterreading burn onetime oneview selfdestruct maxviews viewlimit publishedat publicationdate publishtime datepublished date test simulate":
    'A drop is published at once, and stays until it expires or is deleted: there are no trial runs, schedules and single views. A date in the past is "original_date".',
  "sourceurl fromurl pageurl importurl fetchurl src htmlurl contenturl fileurl htmlfile htmlpath filepath s3key":
    {
      advice:
        'The service fetches no pages and reads no files of yours: send the text of the page as "html".',
      insteadOf: "html",
    },
};

/** The address of a new drop, which may be that of a page elsewhere. */
const address: HintTable = {
  "id url rawurl uri link": {
    advice:
      'The service chooses the address, and fetches no pages. To publish a new version of an existing drop, send PUT /api/drops/{slug}. To publish a page from elsewhere, send its text as "html".',
    insteadOf: "html",
  },
};

/** Changes of a part of the page. */
const edits: HintTable = {
  "edits edit patch diff oldstr newstr oldstring newstring find replacement search replacements operations ops append prepend blocks children":
    {
      advice: 'A page is replaced as a whole: send PUT /api/drops/{slug} with the complete page as "html".',
      insteadOf: "html",
    },
};

/** Fields that a new drop of an upsert rejects. */
export const refusedOfUpsert: HintTable = /* @__PURE__ */ joinHints(
  indexingAndFeedback,
  reading,
  {
    [passcodeNames]: 'To lock the drop from the start, send "passcode" with at least 4 characters.',
    [addressNames]:
      "The service chooses the slug of a new drop. To publish a new version of an existing drop, send PUT /api/drops/{slug}.",
  },
  expiry,
  notAtOnce,
  address,
  files,
  elsewhere,
  onlyRead,
  tags,
);

/** Fields that a new drop rejects. */
export const refusedOfNewDrop: HintTable = /* @__PURE__ */ joinHints(
  {
    "upsert update overwrite replace force ifexists onconflict createorupdate replaceexisting updateexisting":
      "This call publishes a new drop each time. To publish to the drop with the same tags, or else a new one, send PUT /api/drops?metadata.<key>=<value>.",
  },
  refusedOfUpsert,
);

/** Fields that a new version rejects. */
export const refusedOfNewVersion: HintTable = /* @__PURE__ */ joinHints(
  indexingAndFeedback,
  reading,
  passcodeElsewhere,
  sameSlug,
  expiry,
  notAtOnce,
  restoring,
  expected,
  edits,
  files,
  elsewhere,
  onlyRead,
  tags,
);

/** Parameters of a page as the body: the same, but a passcode has no place in an address. */
export const refusedBesidePage = {
  newDrop: /* @__PURE__ */ joinHints(besidePage, refusedOfNewDrop),
  upsert: /* @__PURE__ */ joinHints(besidePage, refusedOfUpsert),
  newVersion: /* @__PURE__ */ joinHints(besidePage, refusedOfNewVersion),
} as const;

/** Fields that a started publication rejects. */
export const refusedOfComingPage: HintTable = /* @__PURE__ */ joinHints(
  { [`html ${pageNames}`]: "Send the page as the body to the url of the response." },
  address,
  refusedOfNewVersion,
);

/** Fields that an edit rejects; it makes no version. */
export const refusedOfEdit: HintTable = /* @__PURE__ */ joinHints(
  indexingAndFeedback,
  reading,
  passcodeElsewhere,
  sameSlug,
  expiry,
  restoring,
  expected,
  {
    [pageNames]: {
      advice: "PATCH does not change the page. Send html with PUT /api/drops/{slug} for a new version.",
      code: "metadata_only_on_patch",
    },
    "context note": "It belongs to a version. Send it with html and PUT /api/drops/{slug}.",
  },
  notAtOnce,
  edits,
  {
    "files filelist pages assets attachments images archive zip bundle css js html5":
      'A drop is one HTML page, which PATCH does not change: send PUT /api/drops/{slug} with all of it as "html".',
  },
  elsewhere,
  onlyRead,
  tags,
);

/** Fields that an undeletion rejects. */
export const refusedOfUndeletion: HintTable = restoring;

/** Fields that a passcode change rejects. */
export const refusedWithPasscode: HintTable = /* @__PURE__ */ joinHints(
  indexingAndFeedback,
  reading,
  expiryElsewhere,
  expected,
);

/** Fields that a reply rejects. */
export const refusedOfReply: HintTable = {
  "body message content comment reply html markdown": {
    advice: 'Send your reply as "text", in plain text.',
    insteadOf: "text",
  },
  "state resolved resolve status close closed":
    'To resolve the thread, send PATCH /api/drops/{slug}/feedback/{thread} with {"state": "resolved"}.',
  "author name from as quote passage thread": {
    advice: "A reply is written as the owner, in the thread of its address.",
    isHarmless: true,
  },
};

/** Other names of a thread's state, and fields that a resolution rejects. */
export const refusedOfResolution: HintTable = {
  "status resolved resolve isresolved open closed close": {
    advice: 'Send "state": "resolved", or "open" to reopen the thread.',
    insteadOf: "state",
  },
  "text comment reply message":
    'To reply, send POST /api/drops/{slug}/feedback/{thread}/replies with {"text": "…"}.',
};

const ofFile: HintTable = /* @__PURE__ */ joinHints(reading, {
  "trash trashed deleted archived":
    "DELETE /api/blobs/{id} deletes a file, and DELETE /api/drops/{slug} moves a drop into the trash.",
  [`passcode ${passcodeNames}`]:
    'A file has no passcode. To restrict its readers, send visibility: "unlisted", "members", or "people" with readers.',
  [expiryNames]:
    'To have the file expire, send "expires_in_days" from 1 to 3650, or "expires_at" in Unix milliseconds. null means never.',
});

/** Fields that a new file rejects. */
export const refusedOfNewFile: HintTable = /* @__PURE__ */ joinHints(ofFile, {
  id: "The service chooses the id of a file, and its bytes never change. Upload a new file.",
  "drop dropid slug page pageid attachto folder folderid parent path": {
    advice:
      "A file belongs to the account, and is in no drop or folder. Write its url into the page, and publish that with PUT /api/drops/{slug}.",
    isHarmless: true,
  },
});

/** Fields that an edit rejects: name, type and bytes of a file cannot change. */
export const refusedOfFileEdit: HintTable = /* @__PURE__ */ joinHints(ofFile, {
  "filename name contenttype type content text base64":
    "A file's name, type and bytes never change. Upload a new file with POST /api/blobs, and delete this one.",
});

import { expiryNames, type MeantNames, passcodeNames, readingNames } from "../http/rejected-fields.ts";

const addressNames = ["slug", "customslug", "shortcode", "alias", "vanity", "dropid"] as const;
const pageNames = ["content", "body", "page", "document", "markup", "source", "markdown", "md"] as const;
const otherWay =
  'POST /api/drops/{slug}/passcode with {"passcode": "…"} locks the drop, and the empty string unlocks it.';

const passcodeElsewhere: MeantNames = { names: ["passcode", ...passcodeNames], way: otherWay };

const expiry: MeantNames = {
  names: expiryNames,
  way: "A drop does not expire: DELETE /api/drops/{slug} when it is to go.",
};

const sameSlug: MeantNames = {
  names: addressNames,
  way: "A drop's slug never changes: it is part of the address, and no other can be had.",
};

const expected: MeantNames = {
  names: ["expectedversion", "ifversion", "ifmatch", "baseversion", "expectedlatestversion", "etag"],
  way: "To change only what you have read, send its ETag as the header If-Match.",
};

/** Read-only fields, which clients read from a drop and send back. */
const onlyRead: MeantNames = {
  names: [
    "url",
    "rawurl",
    "latestversion",
    "viewcount",
    "createdat",
    "updatedat",
    "sha256",
    "sizebytes",
    "version",
  ],
  way: "It is the service's to say; to change only what you have read, send its ETag as the header If-Match.",
  isHarmless: true,
};

/** Ways to name indexing by search engines. They come before `readingNames`, which share some names. */
const indexing: MeantNames = {
  names: [
    ...["noindex", "index", "isindexed", "indexable", "indexing", "searchable", "discoverable", "crawlable"],
    ...["robots", "listed", "islisted", "seo", "searchengines", "searchindexed"],
  ],
  way: 'Search engines list a drop by "indexed": true alone, and none without it; the owner\'s page lists every drop whose visibility is "public".',
};

/** Ways to name feedback. */
const words: MeantNames = {
  names: ["comments", "commenting", "allowcomments", "commentsenabled", "feedbackenabled", "allowfeedback"],
  way: 'Readers may write to you where "feedback" is "readers", and may not where it is "off".',
};

const tags: MeantNames = {
  names: ["tags", "tag", "labels", "keywords", "project", "meta", "category"],
  way: 'Tags are metadata: send "metadata": {"project": "…"}.',
  isHarmless: true,
};

/** Fields that a new drop rejects. */
export const refusedOfNewDrop: readonly MeantNames[] = [
  indexing,
  words,
  ...readingNames,
  { names: passcodeNames, way: 'Send "passcode", of at least 4 characters, to lock it from the beginning.' },
  {
    names: addressNames,
    way: "The service chooses the slug of a new drop. For a new version of a drop that is there: PUT /api/drops/{slug}.",
  },
  expiry,
  onlyRead,
  tags,
];

/** Fields that a new version rejects. */
export const refusedOfNewVersion: readonly MeantNames[] = [
  indexing,
  words,
  ...readingNames,
  passcodeElsewhere,
  sameSlug,
  expiry,
  expected,
  onlyRead,
  tags,
];

/** Fields that a started publication rejects. */
export const refusedOfComingPage: readonly MeantNames[] = [
  { names: ["html", ...pageNames], way: "The page itself is sent to the url of the response, as the body." },
  ...refusedOfNewVersion,
];

/** Fields that an edit rejects; it makes no version. */
export const refusedOfEdit: readonly MeantNames[] = [
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
    way: "PATCH takes no page; send a new version with PUT /api/drops/{slug} and html.",
  },
  {
    names: ["context", "note"],
    way: "It belongs to a version: send it with PUT /api/drops/{slug} and html.",
  },
  onlyRead,
  tags,
];

/** Fields that a passcode change rejects. */
export const refusedWithPasscode: readonly MeantNames[] = [
  indexing,
  words,
  ...readingNames,
  expiry,
  expected,
];

const versionWay = (way: string): readonly MeantNames[] => [{ names: ["v", "version", "n"], way }];

/** Parameters that the deletion of a drop rejects: a version's number does not mean the whole drop. */
export const refusedOfDeletion = /* @__PURE__ */ versionWay(
  "This deletes the drop with all its versions; for one of them: DELETE /api/drops/{slug}/v/{n}.",
);

/** Ways to name the page's bytes. */
export const refusedOfHtml: readonly MeantNames[] = [
  { names: ["version", "n"], way: 'The version is said by "v", such as ?v=2.' },
];

/** Ways to name a drop's details. */
export const noticedOfDrop: readonly MeantNames[] = [
  {
    names: ["v", "version", "n"],
    way: "A version's facts are at GET /api/drops/{slug}/v/{n}, its page at GET /api/drops/{slug}/html?v={n}.",
    isHarmless: true,
  },
];

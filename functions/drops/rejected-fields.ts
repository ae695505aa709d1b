import { expiryNames, type MeantNames, passcodeNames, readingNames } from "../http/rejected-fields.ts";

const addressNames = ["slug", "customslug", "shortcode", "alias", "vanity", "dropid"] as const;
const pageNames = ["content", "body", "page", "document", "markup", "source", "markdown", "md"] as const;
const otherWay =
  'POST /api/drops/{slug}/passcode with {"passcode": "…"} locks the drop, and the empty string unlocks it.';

const passcodeElsewhere: MeantNames = { names: ["passcode", ...passcodeNames], way: otherWay };

const expiry: MeantNames = {
  names: expiryNames,
  way: "A drop does not expire. To delete it, send DELETE /api/drops/{slug}.",
};

const sameSlug: MeantNames = {
  names: addressNames,
  way: "A drop's slug is part of its address and never changes.",
};

const expected: MeantNames = {
  names: ["expectedversion", "ifversion", "ifmatch", "baseversion", "expectedlatestversion", "etag"],
  way: "To change only the version that you have read, send its ETag as the header If-Match.",
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
  way: "Only the service sets it. To change only the version that you have read, send its ETag as the header If-Match.",
  isHarmless: true,
};

/** Ways to name indexing by search engines. They come before `readingNames`, which share some names. */
const indexing: MeantNames = {
  names: [
    ...["noindex", "index", "isindexed", "indexable", "indexing", "searchable", "discoverable", "crawlable"],
    ...["robots", "listed", "islisted", "seo", "searchengines", "searchindexed"],
  ],
  way: 'Search engines list a drop only with "indexed": true. The owner\'s page lists every drop with visibility "public".',
};

/** Ways to name feedback. */
const words: MeantNames = {
  names: ["comments", "commenting", "allowcomments", "commentsenabled", "feedbackenabled", "allowfeedback"],
  way: 'To let readers comment, send "feedback": "readers". To stop comments, send "feedback": "off".',
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
  {
    names: passcodeNames,
    way: 'To lock the drop from the start, send "passcode" with at least 4 characters.',
  },
  {
    names: addressNames,
    way: "The service chooses the slug of a new drop. To publish a new version of an existing drop, send PUT /api/drops/{slug}.",
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
  { names: ["html", ...pageNames], way: "Send the page as the body to the url of the response." },
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
    way: "PATCH does not change the page. Send html with PUT /api/drops/{slug} for a new version.",
  },
  {
    names: ["context", "note"],
    way: "It belongs to a version. Send it with html and PUT /api/drops/{slug}.",
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
  "This call deletes the drop with all its versions. To delete one version, send DELETE /api/drops/{slug}/v/{n}.",
);

/** Ways to name the page's bytes. */
export const refusedOfHtml: readonly MeantNames[] = [
  { names: ["version", "n"], way: 'To select the version, send "v", such as ?v=2.' },
];

/** Ways to name a drop's details. */
export const noticedOfDrop: readonly MeantNames[] = [
  {
    names: ["v", "version", "n"],
    way: "For a version's size and time, use GET /api/drops/{slug}/v/{n}; for its page, GET /api/drops/{slug}/html?v={n}.",
    isHarmless: true,
  },
];

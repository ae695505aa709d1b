import { createHash } from "node:crypto";
import { limits } from "../core/limits.ts";
import {
  type DescribedParameters,
  type DescribedPathParameters,
  exampleCreatedAtMs,
  exampleNamespace,
  exampleSlug,
  exampleUpdatedAtMs,
  type OperationExamples,
} from "../http/openapi.ts";
import { patterns } from "../http/schemas.ts";
import type { DocumentSite } from "../http/written-site.ts";
import { dropsGivenTwiceMax, withHtmlbinCliListAdditions } from "./htmlbin-cli-compat.ts";
import type {
  DropResponse,
  FolderStartResponse,
  PublicationStartResponse,
  VersionResponse,
} from "./schemas.ts";

/** Descriptions of the schemas and their fields, by the path from the schema's name. */
export const fields: Readonly<Record<string, string>> = {
  Drop: "A published page.",
  "Drop.description": `At most ${limits.descriptionCodePointsMax} characters; null where there is none.`,
  "Drop.locked": "Whether a passcode gate is set.",
  "Drop.metadata":
    "The owner's tags, never shown in public: in the library those see them whom the drop is for.",
  "Drop.raw_url":
    "The page itself, without the viewer: `/p/{slug}/raw` of its owner, or of a folder that everybody may read its own host.",
  "Drop.title": "The title as it was trimmed.",
  "Drop.url": "The permanent public address: the one to hand out.",
  "Drop.view_count":
    "How often the viewer has shown the page: exactly below 20 views a second, above within 5 %.",
  "Drop.readers": "Whom the drop is for; only where its visibility is `people`.",
  "Drop.readable_by": 'Who may read the drop, in words: "ada@example.com and people in engineering".',
  "Drop.expires_at":
    "When it expires, in Unix milliseconds: from then on it is not found, and its slug stays taken. null: never.",
  "Drop.feedback": "Whether its readers may write to you.",
  "Drop.indexed": "Whether search engines may list it; only where it is `public` and not locked.",
  "Drop.visibility":
    "Who may read it. `public`: anybody. `unlisted`: anybody who has its address; the owner's page does not show it. `members`: members of this service. `people`: those whom `readers` names. Its owner always.",
  DropList: "One page of the caller's drops that match the filters.",
  "DropList.drops": "The drops of this page, in the order asked for.",
  "DropList.page": "The number of this page, from 1.",
  "DropList.page_size": "How many drops a page has.",
  "DropList.total": "How many drops match, on all pages.",
  EditDrop: "What to change; a field that is absent stays as it is.",
  ...describeExpiry(
    "drop",
    "EditDrop",
    "PublishDrop",
    "PublishFolder",
    "PublishVersion",
    "StartPublish",
    "UndeleteDrop",
  ),
  "EditDrop.html": "Not taken here: a new html is a new version, and goes by PUT.",
  ListDropsAdditions:
    "The filters, and the same list by the names that `@htmlbin/cli` on npm reads. Others need only what is above.",
  "ListDropsAdditions.data": `The same as drops, for \`@htmlbin/cli\` alone, on pages of at most ${dropsGivenTwiceMax}.`,
  "ListDropsAdditions.filters":
    "The filters by which the drops were chosen, such as `metadata.project=reports`. Empty: these are all of the caller's drops.",
  "ListDropsAdditions.pagination": "The numbers of DropList, and how many pages there are.",
  "ListDropsAdditions.pagination.page": "The same as page.",
  "ListDropsAdditions.pagination.page_size": "The same as page_size.",
  "ListDropsAdditions.pagination.total_items": "The same as total.",
  ListFilesResponse: "The files of a version that is a folder.",
  "ListFilesResponse.archive_url":
    "With `archive=true`: an address of all files as a zip archive. Whoever has it can read them for ten minutes.",
  "ListFilesResponse.files": "By path.",
  "ListFilesResponse.slug": "The drop.",
  "ListFilesResponse.spa": "true: paths that the folder does not have show its entry page.",
  "ListFilesResponse.version": "The version that was asked for, or the latest.",
  "ListFilesResponse.files.content_type": "The type by which it is served: that of its ending.",
  "ListFilesResponse.files.path": "Below the folder, such as `assets/app.js`.",
  "ListFilesResponse.files.sha256": "SHA-256 of its contents in hex.",
  "ListDropsAdditions.pagination.total_pages": "How many pages hold what matches; 0 where nothing does.",
  ListReadsResponse:
    "Who opened a drop that is for members or named people. One entry for each reader and day.",
  "ListReadsResponse.next_cursor": "Send it as `cursor` to go on; null where there is nothing more.",
  "ListReadsResponse.reads": "The newest day first, in no order within a day.",
  "ListReadsResponse.reads.day": "The day in UTC: 2026-11-24.",
  "ListReadsResponse.reads.first_at": "When the reader opened the drop first on that day.",
  "ListReadsResponse.reads.reader": "The address or user name of the reader, as `readers` takes it.",
  "ListReadsResponse.recording":
    "true while reads of the drop are recorded: the operator has set `readTrail`, and the drop's visibility is `members` or `people`.",
  ListTrashResponse: "One page of the caller's drops in the trash.",
  "ListTrashResponse.drops": "The last deleted first.",
  "ListTrashResponse.drops.bytes": "Bytes of its pages. They count until it is purged.",
  "ListTrashResponse.drops.deleted_at": "When it came into the trash.",
  "ListTrashResponse.drops.purged_at": "When it is deleted for good.",
  "ListTrashResponse.drops.reason": "`deleted` by its owner, or `expired`.",
  "ListTrashResponse.page": "The number of this page, from 1.",
  "ListTrashResponse.page_size": "How many drops a page has.",
  "ListTrashResponse.total": "How many drops the trash has.",
  PublishDrop: "A page to publish.",
  PublishVersion: "A new version of a page. Title, description and metadata may come along.",
  PublishDropAdditions: "What the response to a publication has beside the drop.",
  "PublishDropAdditions.open_feedback":
    "How many threads of readers are open on the drop: `GET /api/feedback?slug=&state=open` tells them.",
  "PublishDropAdditions.secrets":
    "Likely secrets in the page, its Markdown and the texts sent with it, which were stored; absent where there are none.",
  "PublishDropAdditions.secrets.column": "The column, from 1, in UTF-16 code units.",
  "PublishDropAdditions.secrets.field":
    "The field that has it, such as `context`; absent where it is the page.",
  "PublishDropAdditions.secrets.line":
    "The line, from 1, of the text as it was sent; of metadata, the number of the pair.",
  "PublishDropAdditions.secrets.rule":
    "The rule that found it, such as `github`. The secret itself is never repeated.",
  "PublishDropAdditions.sha256":
    "SHA-256 of the page as it was stored, in hex: as it was sent, or as it was rendered from Markdown.",
  "PublishDropAdditions.files":
    "Files of the folder that was published, its entry page among them. Absent for one page.",
  "PublishDropAdditions.source_sha256":
    "SHA-256 of the Markdown as it was sent, in hex; absent of a page that came as HTML.",
  PublishFolder: "What a new version of a folder may change beside its files.",
  RestoreVersion: "Which version is to be the newest again.",
  "RestoreVersion.version": "The number of the version whose page and context are published once more.",
  SetPasscode: "The passcode to lock the drop with.",
  "SetPasscode.passcode": `At least ${limits.passcodeCodePointsMin} characters, counted after Unicode normalization (NFKC), at most ${limits.passcodeBytesMax} bytes. The empty string removes the gate.`,
  StartFolder: "The files of a folder, all of them.",
  "StartFolder.files": `The path, SHA-256 in hex and length of each file, by path: at most ${limits.folderFilesMax} files and ${limits.folderBytesMax} bytes together, \`index.html\` at the top.`,
  "StartFolder.files.sha256": "SHA-256 of the file's bytes, in hex.",
  "StartFolder.files.bytes": "How many bytes it has.",
  "StartFolder.spa": "true: paths that the folder does not have show its entry page.",
  StartFolderResponse: "The id of the publication, and the files that are to be sent.",
  "StartFolderResponse.publication_id": "What `POST /api/drops/{slug}/files/{publication}` takes.",
  "StartFolderResponse.missing": "Files that the drop's latest version does not have. It may be empty.",
  "StartFolderResponse.missing.path": "A path that the contents have. Those of several paths are sent once.",
  "StartFolderResponse.missing.sha256": "The SHA-256 of the bytes to send.",
  "StartFolderResponse.missing.bytes": "How many bytes are to be sent.",
  "StartFolderResponse.missing.upload_url": "Where to send them by PUT, without the token.",
  "StartFolderResponse.missing.headers": "Headers that the PUT must have.",
  "StartFolderResponse.expires_in": "Seconds for which the addresses take files.",
  StartPublish: "Where the page goes that is to come, and what there is to say of it.",
  "StartPublish.slug":
    "The drop that the page is a new version of. Absent: a new drop, or with `upsert` the one with the tags.",
  "StartPublish.upsert":
    "true: the page goes to the one drop with all of the tags in `metadata`, or to a new one with them where there is none.",
  "StartPublish.archive_bytes":
    "The length of a zip archive of a folder. The response has an `upload_url` for it: for folders that are too large for one request.",
  "StartPublish.spa": "As for a folder in the body.",
  StartPublishResponse: "Where to send the page, and how.",
  "StartPublishResponse.command":
    "The command that sends the file `page.html` there; `text/markdown` is taken as well.",
  "StartPublishResponse.expires_in": "Seconds in which the address takes a page, once.",
  "StartPublishResponse.method": "How to send it: the page as the body, with its Content-Type, and no token.",
  "StartPublishResponse.upload_url":
    "Where to send the archive first, by PUT with exactly its length and without the token. Then send the request without a body.",
  "StartPublishResponse.url": "Where to send it. Whoever has it can publish this one page: it is a secret.",
  UndeleteDrop:
    "When the drop expires from then on. Without it, one that has expired gets the expiry of a new drop.",
  Version: "A version of a drop.",
  "Version.files": "Files of a folder, its entry page among them. An ordinary page has no such field.",
  "Version.folder_bytes": "Bytes of all files of a folder, by which the version counts.",
  "Version.has_source":
    "true where the page was made of Markdown, which `GET /api/drops/{slug}/source?v=` gives; else absent.",
  "Version.has_context": "Whether context was stored with it.",
  "Version.version": "Its number, from 1; a number is never used twice.",
  ListVersionsAdditions: "The number of versions that are kept, where the operator limits it.",
  VersionList: "A drop's versions, latest first.",
  "VersionList.versions": "Latest first.",
  "ListVersionsAdditions.keep_versions":
    "The number of versions that this service keeps of a drop: older ones are deleted when another is published. Absent: all are kept.",
};

const exampleFolderId = "q7Kd0sVx2ZbN5mRt";

/** Path parameters, by name, or by resource and name where two resources differ. */
export const pathParameters: DescribedPathParameters = {
  slug: {
    schema: { type: "string", pattern: patterns.slug.source },
    description: "The drop's identifier, from its response.",
    example: exampleSlug,
  },
  n: { schema: { type: "integer", minimum: 1 }, description: "The number of the version.", example: 2 },
  publication: {
    schema: { type: "string", pattern: "^[A-Za-z0-9]{16}$" },
    description: "The `publication_id` of the response that started the publication.",
    example: exampleFolderId,
  },
};

const exampleReadDay = new Date(exampleUpdatedAtMs).toISOString().slice(0, 10);

const examplePublicationKey = "q7Kd0sVx2ZbN5mRt8YwPcA1fGhJ4uLeQ9oTi6BnXzMs";

/** Query parameters, by name, or by operation and name where two operations differ. */
export const queryParameters: DescribedParameters = {
  archive: { description: "`true`: the response has the address of a zip archive, too.", example: true },
  "compare-versions from": {
    description: "The version to compare with. Without it, the one before `to`.",
    example: 1,
  },
  "compare-versions to": { description: "The version that is compared. Without it, the latest.", example: 2 },
  key: {
    description:
      "A secret that stands for a right: of an address that was given for one page, or of the viewer of a locked drop.",
    example: examplePublicationKey,
  },
  metadata: {
    description:
      "Filters: a parameter `metadata.<key>=<value>` for each. A drop must match all of them; a key with two values matches nothing.",
    example: { "metadata.project": "walk-through" },
  },
  "list-reads cursor": {
    description: "`next_cursor` of the response before, as it came: the list goes on there.",
    example: `${exampleReadDay}.${"k".repeat(43)}`,
  },
  "list-reads pageSize": { description: "How many reads a response has at most.", example: 20 },
  page: { description: "The number of the page of the list.", example: 1 },
  pageSize: { description: "How many drops, or files, a page of the list has.", example: 20 },
  sortBy: { description: "What to sort by.", example: "updated_at" },
  sortOrder: { description: "Which way to sort.", example: "desc" },
  v: { description: "Which version. Without it, the latest.", example: 2 },
};

/** A small page as this service wants pages: complete, self-contained, readable on a phone. */
export const exampleHtml = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Quarterly numbers</title>
<style>
body { max-width: 40rem; margin: auto; padding: 1rem; font: 1rem/1.6 system-ui; overflow-wrap: anywhere; }
</style>
</head>
<body>
<h1>Quarterly numbers</h1>
<p>Revenue is up by 12 percent.</p>
</body>
</html>
`;

/** The same as Markdown. */
export const exampleMarkdown = "# Quarterly numbers\n\nRevenue is up by **12 percent**.\n";

/** Example of a page's context. */
export const exampleContext = "Made from the figures of the finance sheet.";

/** Example diff of a version. */
export const exampleDiff = `--- ${exampleSlug}/1/html
+++ ${exampleSlug}/2/html
@@ -3,1 +3,1 @@
-<p>Revenue is up by 11 percent.</p>
+<p>Revenue is up by 12 percent.</p>
`;

/**
 * Query parameters of a page that is the body itself, as the JSON body's fields; without a description a parameter means the
 * field of its name.
 */
export const pageParameters: Readonly<
  Record<string, { readonly description?: string; readonly example: unknown }>
> = {
  allow_secrets: { example: "The key in the example was revoked in January." },
  context: { example: exampleContext },
  description: { example: "Revenue, churn and cost." },
  feedback: { example: "readers" },
  expires_at: { example: "1796083200000" },
  expires_in_days: { example: "30" },
  indexed: { example: true },
  metadata: {
    description: "the field `metadata`, a parameter `metadata.<key>=<value>` for each key",
    example: { "metadata.project": "walk-through" },
  },
  note: { example: "With the figures of January." },
  original_date: { example: exampleCreatedAtMs },
  readers: {
    description: "the field `readers`, separated by commas",
    example: "ada@example.com,@example.org",
  },
  spa: { description: "with a folder: unknown paths show its entry page", example: true },
  title: {
    description:
      "the field `title`; a new drop's is the page's `<title>`, or the Markdown's first heading, where it is absent",
    example: "Quarterly numbers",
  },
  visibility: { example: "unlisted" },
};

/** Notes on the operations, beyond their summaries. */
export const notes: Readonly<Record<string, string>> = {
  "list-drops":
    "To keep one address across pushes, look up before you publish: filter by metadata of your own; where a drop matches, PUT a new version to it; otherwise POST a new one. `PUT /api/drops?metadata.<key>=<value>` does all of it in one call.",
  "publish-drop": "The response's `url` is permanent. Keep `slug` to publish further versions.",
  "upsert-drop":
    "The query says which drop is meant, in the words of the list's filters. Where none matches, one is published with the body and with these pairs in its metadata: 201. Where one does, it gets a new version: 200; `description`, `metadata` and `passcode` are left alone where they are absent, and the pairs stay. Where several do, nothing happens: 409. Nobody can come in between: of many calls at once, one makes the drop. With `If-Match` only a drop that is there is changed; with `Idempotency-Key` a repeated call makes no further version.",
  "publish-version":
    "The drop's address stays, and readers see the new version at once. `title`, `description` and `metadata` may come along.",
  "edit-drop": "Makes no new version. A body without fields changes nothing.",
  "delete-drop":
    "From then on it is not found, and its slug stays taken. It lies in the trash for the days of the setting `trashDays`, where `POST /api/drops/{slug}/undelete` finds it; with 0 days it is deleted at once.",
  "undelete-drop":
    "Readers, passcode, versions, views and feedback are those from before. A drop that is not in the trash stays as it is.",
  "purge-drop": "Its bytes no longer count. Nothing brings it back.",
  "set-passcode":
    "A gate for passers-by, not encryption. A new passcode, or none, ends what earlier visitors have opened.",
  "list-reads":
    "Recorded are readers who had to sign in, once a day each, however often and in whichever version; not the owner, and nobody who opens a public or unlisted drop, with a passcode or without. Kept as long as the audit trail. No tool of the MCP server does this.",
  "start-folder":
    "Send each missing file by PUT to its `upload_url`, then publish. A drop's first folder is published as a zip archive: `POST /api/drops` with `Content-Type: application/zip`.",
  "publish-folder":
    "Publishes all files at once, as a new version. A repeated call publishes once. Where nothing was missing, it can be sent right after the start.",
  "delete-version": "The last version stays: delete the drop instead.",
};

/** Example calls and responses. */
export const examples = (site: DocumentSite) => {
  const drop = exampleDrop(site);
  const sha256 = createHash("sha256").update(exampleHtml).digest("hex");
  const version = (number: number): VersionResponse => ({
    slug: exampleSlug,
    version: number,
    size_bytes: 412 + number,
    has_context: number === 2,
    created_at: exampleCreatedAtMs + (number - 1) * 86_400_000,
  });
  return {
    "list-drops": {
      response: withHtmlbinCliListAdditions(
        { drops: [drop], page: 1, page_size: 20, total: 1 },
        { filters: ["metadata.project=reports"], isForCli: false },
      ),
    },
    "publish-drop": {
      body: {
        html: exampleHtml,
        title: "Quarterly numbers",
        description: "Revenue, churn and cost.",
        context: exampleContext,
        metadata: { project: "walk-through" },
      },
      response: {
        ...drop,
        latest_version: 1,
        view_count: 0,
        updated_at: exampleCreatedAtMs,
        sha256,
        open_feedback: 0,
      },
    },
    "upsert-drop": {
      body: { html: exampleHtml, title: "Quarterly numbers", context: exampleContext },
      response: { ...drop, sha256, open_feedback: 1 },
    },
    "start-publish": {
      body: { title: "Quarterly numbers", metadata: { project: "walk-through" } },
      response: {
        url: `${site.baseUrl}/api/publications/page?key=${examplePublicationKey}`,
        method: "POST",
        command: `curl -sS --fail-with-body -H 'Content-Type: text/html' --data-binary @page.html '${site.baseUrl}/api/publications/page?key=${examplePublicationKey}'`,
        expires_in: limits.publicationUrlSeconds,
      } satisfies PublicationStartResponse,
    },
    "send-page": { response: { ...drop, sha256, open_feedback: 1 } },
    "start-folder": {
      body: { files: { "index.html": { sha256, bytes: exampleHtml.length } }, spa: false },
      response: {
        publication_id: exampleFolderId,
        missing: [
          {
            path: "index.html",
            sha256,
            bytes: exampleHtml.length,
            upload_url: `https://bucket.s3.us-east-1.amazonaws.com/staging/${exampleFolderId}?X-Amz-Signature=0f3c`,
            headers: { "content-length": String(exampleHtml.length) },
          },
        ],
        expires_in: limits.uploadUrlSeconds,
      } satisfies FolderStartResponse,
    },
    "publish-folder": {
      body: { note: "The figures of January." },
      response: { ...drop, sha256, files: 1, open_feedback: 1 },
    },
    "get-drop": { response: drop },
    "publish-version": {
      body: { html: exampleHtml, context: "The same with the figures of January." },
      response: { ...drop, sha256, open_feedback: 1 },
    },
    "edit-drop": {
      body: { title: "Quarterly numbers", metadata: { project: "walk-through" } },
      response: drop,
    },
    "list-trash": {
      response: {
        drops: [
          {
            slug: exampleSlug,
            title: "Quarterly numbers",
            reason: "deleted",
            deleted_at: exampleUpdatedAtMs,
            purged_at: exampleUpdatedAtMs + 7 * 86_400_000,
            bytes: 826,
          },
        ],
        page: 1,
        page_size: 20,
        total: 1,
      },
    },
    "undelete-drop": { body: { expires_in_days: 30 }, response: drop },
    "set-passcode": { body: { passcode: "open sesame" }, response: { ...drop, locked: true } },
    "list-reads": {
      response: {
        reads: [{ reader: "ada@example.com", day: exampleReadDay, first_at: exampleUpdatedAtMs }],
        next_cursor: null,
        recording: true,
      },
    },
    "list-versions": { response: { versions: [version(2), version(1)] } },
    "get-version": { response: version(2) },
    "list-files": {
      response: {
        slug: exampleSlug,
        version: 2,
        spa: false,
        files: [
          {
            path: "index.html",
            size_bytes: 5_120,
            sha256: createHash("sha256").update("index.html").digest("hex"),
            content_type: "text/html; charset=utf-8",
          },
        ],
      },
    },
    "restore-version": {
      body: { version: 1 },
      response: { ...drop, latest_version: 3, sha256, open_feedback: 1 },
    },
  } satisfies OperationExamples;
};

/** The drop of all examples. */
export function exampleDrop(site: DocumentSite): DropResponse {
  const ownerUrl = site.ownerUrl(exampleNamespace);
  return {
    slug: exampleSlug,
    title: "Quarterly numbers",
    description: "Revenue, churn and cost.",
    url: `${ownerUrl}/d/${exampleSlug}`,
    raw_url: `${ownerUrl}/p/${exampleSlug}/raw`,
    locked: false,
    latest_version: 2,
    view_count: 7,
    metadata: { project: "walk-through" },
    created_at: exampleCreatedAtMs,
    updated_at: exampleUpdatedAtMs,
    visibility: "public",
    readable_by: "anybody",
    indexed: false,
    feedback: "off",
    expires_at: null,
  };
}

/** Descriptions of the two fields that set an expiry, for each schema of a body that has them. */
export function describeExpiry(
  subject: "drop" | "file",
  ...bodies: readonly string[]
): Record<string, string> {
  return Object.fromEntries(
    bodies.flatMap((body) => [
      [
        `${body}.expires_at`,
        `When the ${subject} expires, in Unix milliseconds, at least a minute ahead. null: never.`,
      ],
      [`${body}.expires_in_days`, "The same in days from now. Send one of the two."],
    ]),
  );
}

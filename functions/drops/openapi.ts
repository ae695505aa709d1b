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
} from "../core/openapi.ts";
import type { DocumentSite } from "../core/written-site.ts";
import { patterns } from "../http/schemas.ts";
import { dropsGivenTwiceMax, withHtmlbinCliListAdditions } from "./htmlbin-cli-compat.ts";
import type {
  DropResponse,
  FolderStartResponse,
  PublicationStartResponse,
  VersionResponse,
} from "./schemas.ts";

/** Descriptions of the schemas and their fields. Each key is the schema's name, followed by the path to the field. */
export const fields: Readonly<Record<string, string>> = {
  Drop: "A published page.",
  "Drop.description": `At most ${limits.descriptionCodePointsMax} characters; null without one.`,
  "Drop.locked": "true: the drop is locked with a passcode.",
  "Drop.metadata": "The owner's tags. Shown in the library only to the drop's readers, never in public.",
  "Drop.raw_url":
    "The page itself, without the viewer: `/p/{slug}/raw` below the address of its owner, or the folder's own host if anyone may read it.",
  "Drop.title": "The title, trimmed.",
  "Drop.url": "The permanent address to share.",
  "Drop.view_count": "Number of views: exact below 20 views a second, within 5 % above.",
  "Drop.readers": "The drop's readers, if its visibility is `people`.",
  "Drop.readable_by": 'The readers of the drop, in words: "ada@example.com and people in engineering".',
  "Drop.expires_at":
    "Expiry time in Unix milliseconds. An expired drop is not found, and its slug is not used again. null: never.",
  "Drop.feedback": "`readers`: readers may comment. `off`: they may not.",
  "Drop.answers":
    "`readers`: readers may answer the page's forms that have `data-answers`. `off`: they may not.",
  "Drop.answers_results": "true: the page may show readers how often each choice was selected.",
  "Drop.indexed": "true: search engines may list the drop. Only for `public` drops without a passcode.",
  "Drop.visibility":
    "Readers of the drop. `public`: anyone. `unlisted`: anyone with its address; the owner's page does not show it. `members`: members of this service. `people`: the people in `readers`. The owner can always read it.",
  DropList: "One page of the caller's matching drops.",
  "DropList.drops": "The drops of this page, in the requested order.",
  "DropList.page": "Number of this page, from 1.",
  "DropList.page_size": "Number of drops on a page.",
  "DropList.total": "Number of matching drops on all pages.",
  EditDrop: "The fields to change. Absent fields stay unchanged.",
  ...describeExpiry(
    "drop",
    "EditDrop",
    "PublishDrop",
    "PublishFolder",
    "PublishVersion",
    "StartPublish",
    "UndeleteDrop",
  ),
  "EditDrop.html": "Not allowed here: to publish new html as a version, use PUT.",
  ListDropsAdditions:
    "The filters, and the same list under the names that `@htmlbin/cli` on npm reads. Other clients do not need these fields.",
  "ListDropsAdditions.data": `The same list as \`drops\`, only for \`@htmlbin/cli\`, on pages of at most ${dropsGivenTwiceMax}.`,
  "ListDropsAdditions.filters":
    "The applied filters, such as `metadata.project=reports`. Empty: the list has all of the caller's drops.",
  "ListDropsAdditions.pagination": "Number of this page, and total numbers of pages and drops.",
  "ListDropsAdditions.pagination.page": "The same as `page` of the list.",
  "ListDropsAdditions.pagination.page_size": "The same as `page_size` of the list.",
  "ListDropsAdditions.pagination.total_items": "The same as `total` of the list.",
  ListFilesResponse: "The files of a version that is a folder.",
  "ListFilesResponse.archive_url":
    "With `archive=true`: a URL of all files as a zip archive. Anyone with this URL can read the files for ten minutes.",
  "ListFilesResponse.files": "The files, sorted by path.",
  "ListFilesResponse.slug": "Slug of the drop.",
  "ListFilesResponse.spa": "true: unknown paths show the entry page.",
  "ListFilesResponse.version": "The requested version, or the latest.",
  "ListFilesResponse.files.content_type": "The media type for serving, from the file's extension.",
  "ListFilesResponse.files.path": "Path in the folder, such as `assets/app.js`.",
  "ListFilesResponse.files.sha256": "SHA-256 of the contents, in hex.",
  "ListDropsAdditions.pagination.total_pages": "Number of pages of matching drops; 0 if none match.",
  ListReadsResponse:
    "Readers who opened a drop for members or named people. One entry for each reader and day.",
  "ListReadsResponse.next_cursor": "Send it as `cursor` to continue. null at the end of the list.",
  "ListReadsResponse.reads": "Newest day first, unordered within a day.",
  "ListReadsResponse.reads.day": "The day in UTC: 2026-11-24.",
  "ListReadsResponse.reads.first_at": "Time at which the reader first opened the drop on that day.",
  "ListReadsResponse.reads.reader": "The address or user name of the reader, as `readers` accepts it.",
  "ListReadsResponse.readers_this_week":
    "Number of readers who opened the drop today or in the six days before (UTC), each counted once; null while `recording` is false.",
  "ListReadsResponse.shared_since":
    "Time at which the present visibility, readers and passcode were set, or the drop was restored; null for drops that were last shared before the service stored this.",
  "ListReadsResponse.recording":
    "true while reads of the drop are recorded: the operator has set `readTrail`, and the drop's visibility is `members` or `people`.",
  ListTrashResponse: "One page of the caller's drops in the trash.",
  "ListTrashResponse.drops": "The drops, last deleted first.",
  "ListTrashResponse.drops.bytes":
    "Bytes of the drop's pages. They count towards the quota until the drop is purged.",
  "ListTrashResponse.drops.deleted_at": "Time at which the drop was moved to the trash.",
  "ListTrashResponse.drops.purged_at": "Time at which the drop is deleted for good.",
  "ListTrashResponse.drops.reason": "`deleted` by its owner, or `expired`.",
  "ListTrashResponse.page": "Number of this page, from 1.",
  "ListTrashResponse.page_size": "Number of drops on a page.",
  "ListTrashResponse.total": "Number of drops in the trash.",
  PublishDrop: "A page to publish.",
  PublishVersion: "A new version of a page. It may also change title, description and metadata.",
  PublishDropAdditions: "Additional fields of the response to a publication.",
  "PublishDropAdditions.open_feedback":
    "Number of open threads on the drop. `GET /api/feedback?slug=&state=open` lists them.",
  "PublishDropAdditions.secrets":
    "Likely secrets in the stored page, its Markdown and the texts sent with it. Absent if none were found.",
  "PublishDropAdditions.secrets.column": "The column, from 1, in UTF-16 code units.",
  "PublishDropAdditions.secrets.field":
    "The field that contains the secret, such as `context`. Absent if the page itself contains the secret.",
  "PublishDropAdditions.secrets.line":
    "The line, from 1, in the text as it was sent. For metadata, the number of the key.",
  "PublishDropAdditions.secrets.rule":
    "The rule that found the secret, such as `github`. The secret itself is never repeated.",
  "PublishDropAdditions.sha256":
    "SHA-256 of the stored page in hex: as it was sent, or rendered from Markdown.",
  "PublishDropAdditions.files":
    "Number of files of the published folder, including its entry page. Absent for a single page.",
  "PublishDropAdditions.source_sha256":
    "SHA-256 of the Markdown as it was sent, in hex; absent for a page sent as HTML.",
  PublishFolder: "Fields that a new version of a folder can change besides its files.",
  RestoreVersion: "The version to publish again.",
  "RestoreVersion.version": "Number of the version whose page and context are published again.",
  MoveDrop: "The account that gets the drop.",
  "MoveDrop.to": "Namespace of a team that you may publish for, or your own.",
  SetPasscode: "The passcode to lock the drop with.",
  "SetPasscode.passcode": `At least ${limits.passcodeCodePointsMin} characters, counted after Unicode normalization (NFKC), at most ${limits.passcodeBytesMax} bytes. The empty string removes the passcode.`,
  StartFolder: "All files of a folder.",
  "StartFolder.files": `SHA-256 and length of each file, by path. At most ${limits.folderFilesMax} files and ${limits.folderBytesMax} bytes in total, with \`index.html\` at the top level.`,
  "StartFolder.files.sha256": "SHA-256 of the file, in hex.",
  "StartFolder.files.bytes": "Length of the file in bytes.",
  "StartFolder.spa": "true: unknown paths show the entry page.",
  StartFolderResponse: "The publication's id, and the files to send.",
  "StartFolderResponse.publication_id":
    "The `{publication}` of `POST /api/drops/{slug}/files/{publication}`.",
  "StartFolderResponse.missing":
    "Files to send, because the drop's latest version does not have them. May be empty.",
  "StartFolderResponse.missing.path":
    "Path of the file. If several files have the same contents, send the contents once.",
  "StartFolderResponse.missing.sha256": "The SHA-256 of the bytes to send.",
  "StartFolderResponse.missing.bytes": "Number of bytes to send.",
  "StartFolderResponse.missing.upload_url": "URL to PUT the bytes to, without the token.",
  "StartFolderResponse.missing.headers": "Headers that the PUT must have.",
  "StartFolderResponse.expires_in": "Seconds until the URLs expire.",
  StartPublish: "Target and fields of a page that will be sent.",
  "StartPublish.slug":
    "The drop to publish a new version of. Absent: a new drop, or with `upsert` the drop with the tags.",
  "StartPublish.upsert":
    "true: publish to the one drop with all of the tags in `metadata`, or to a new drop if none has them.",
  "StartPublish.archive_bytes":
    "The length of a zip archive of a folder. The response then has an `upload_url`, for folders that are too large for one request.",
  "StartPublish.spa": "true: unknown paths of a folder show the entry page.",
  StartPublishResponse: "The URL to send the page to, and the method.",
  "StartPublishResponse.command":
    "The command that sends the file `page.html` to `url`. The Content-Type `text/markdown` is accepted as well.",
  "StartPublishResponse.expires_in": "Seconds until the URL expires. The URL accepts one page.",
  "StartPublishResponse.method":
    "Method for sending the page as the body, with its Content-Type, without the token.",
  "StartPublishResponse.upload_url":
    "URL to PUT the archive to first, with exactly its length and without the token. Then send the request without a body.",
  "StartPublishResponse.url":
    "URL to send the page to. It is a secret: anyone with it can publish this one page.",
  UndeleteDrop: "The drop's new expiry. Default: a drop that has expired gets the expiry of a new drop.",
  Version: "A version of a drop.",
  "Version.files": "Number of files of a folder, including its entry page. Absent for a single page.",
  "Version.folder_bytes": "Bytes of all files of a folder, which count towards the quota.",
  "Version.has_source":
    "true: the page was rendered from Markdown, which `GET /api/drops/{slug}/source?v=` returns. Otherwise absent.",
  "Version.has_context": "true: context was stored with the version.",
  "Version.version": "Number of the version, from 1. A number is never used twice.",
  ListVersionsAdditions: "The number of versions that are kept, if the operator limits this number.",
  VersionList: "A drop's versions, latest first.",
  "VersionList.versions": "The versions, latest first.",
  "ListVersionsAdditions.keep_versions":
    "The number of versions that this service keeps of each drop. Publishing another version deletes the oldest. Absent: all are kept.",
};

const exampleFolderId = "q7Kd0sVx2ZbN5mRt";

/** Descriptions of path parameters, by name, or by resource and name if the meaning depends on the resource. */
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

/** Descriptions of query parameters, by name, or by operation and name if the meaning depends on the operation. */
export const queryParameters: DescribedParameters = {
  archive: { description: "`true`: the response also has the URL of a zip archive.", example: true },
  "compare-versions from": {
    description: "The version to compare with. Default: the version before `to`.",
    example: 1,
  },
  "compare-versions to": { description: "The version to compare. Default: the latest.", example: 2 },
  key: {
    description: "A secret that grants access: to publish one page, or to view a locked drop.",
    example: examplePublicationKey,
  },
  metadata: {
    description:
      "Filters by tag: one parameter `metadata.<key>=<value>` for each tag. A drop must match all filters; a key with two values matches nothing.",
    example: { "metadata.project": "walk-through" },
  },
  "list-reads cursor": {
    description: "`next_cursor` of the previous response, unchanged, to continue the list.",
    example: `${exampleReadDay}.${"k".repeat(43)}`,
  },
  "list-reads pageSize": { description: "Maximum number of reads in the response.", example: 20 },
  page: { description: "Number of the page of the list.", example: 1 },
  pageSize: { description: "Number of drops or files on a page of the list.", example: 20 },
  sortBy: { description: "Field to sort by.", example: "updated_at" },
  sortOrder: { description: "Sort direction.", example: "desc" },
  v: { description: "Number of the version. Default: the latest.", example: 2 },
};

/** Example page that follows the service's advice to authors: complete, self-contained, readable on a phone. */
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

/** The example page as Markdown. */
export const exampleMarkdown = "# Quarterly numbers\n\nRevenue is up by **12 percent**.\n";

/** Example of a page's context. */
export const exampleContext = "Based on the figures in the finance sheet.";

/** Example diff of a version. */
export const exampleDiff = `--- ${exampleSlug}/1/html
+++ ${exampleSlug}/2/html
@@ -3,1 +3,1 @@
-<p>Revenue is up by 11 percent.</p>
+<p>Revenue is up by 12 percent.</p>
`;

/** Query parameters that replace the JSON body's fields if the body is the page itself. By default, a parameter means the same as its field. */
export const pageParameters: Readonly<
  Record<string, { readonly description?: string; readonly example: unknown }>
> = {
  allow_secrets: { example: "The key in the example was revoked in January." },
  context: { example: exampleContext },
  description: { example: "Revenue, churn and cost." },
  feedback: { example: "readers" },
  answers: { example: "readers" },
  answers_results: { example: true },
  expires_at: { example: "1796083200000" },
  expires_in_days: { example: "30" },
  indexed: { example: true },
  metadata: {
    description: "the field `metadata`, a parameter `metadata.<key>=<value>` for each key",
    example: { "metadata.project": "walk-through" },
  },
  note: { example: "Adds the figures for January." },
  original_date: { example: exampleCreatedAtMs },
  readers: {
    description: "the field `readers`, separated by commas",
    example: "ada@example.com,@example.org",
  },
  spa: { description: "with a folder: unknown paths show its entry page", example: true },
  title: {
    description:
      "the field `title`; without it, a new drop gets the page's `<title>`, or the Markdown's first heading",
    example: "Quarterly numbers",
  },
  visibility: { example: "unlisted" },
};

/** Notes that supplement the summaries of the operations. */
export const notes: Readonly<Record<string, string>> = {
  "list-drops":
    "To keep one address across pushes, look up before you publish: filter by metadata of your own; where a drop matches, PUT a new version to it; otherwise POST a new one. `PUT /api/drops?metadata.<key>=<value>` does all of it in one call.",
  "publish-drop": "The response's `url` is permanent. Keep `slug` to publish further versions.",
  "upsert-drop":
    "The query selects the drop with the list's filters. If no drop matches, the body is published as a new one with these pairs in its metadata: 201. If one matches, it gets a new version: 200; absent `description`, `metadata` and `passcode` stay unchanged, and the pairs stay. If several match, nothing changes: 409. The call is atomic: one of several concurrent calls creates the drop. With `If-Match`, only an existing drop is changed. With `Idempotency-Key`, a repeated call publishes no further version.",
  "publish-version":
    "The drop's address stays the same, and readers see the new version at once. The call may also change `title`, `description` and `metadata`.",
  "edit-drop": "Publishes no new version. A body without fields changes nothing.",
  "delete-drop":
    "The drop is no longer found, and its slug stays taken. It stays in the trash for the days of the setting `trashDays`, and `POST /api/drops/{slug}/undelete` restores it. With 0 days it is deleted at once.",
  "undelete-drop":
    "Readers, passcode, versions, views and feedback are restored. A drop that is not in the trash stays unchanged.",
  "purge-drop": "The drop's bytes no longer count towards the quota. This cannot be undone.",
  "set-passcode":
    "A passcode protects against casual access; it is not encryption. Changing or removing the passcode ends earlier visitors' access.",
  "move-drop":
    "Addresses, versions, passcode and readers stay; the drop counts against the receiver's quotas. Only a team's owners may move drops out of it. Team owners whom the operator has named in `teams.leavers` may also move drops of people who have left into the team. A repeated call changes nothing more.",
  "list-reads":
    "Readers who had to sign in are recorded once a day, for any number of views and versions. The owner and readers of public or unlisted drops are not recorded. Records are kept as long as the audit trail. The MCP server has no tool for this.",
  "start-folder":
    "Send each missing file by PUT to its `upload_url`, then publish. A drop's first folder is published as a zip archive: `POST /api/drops` with `Content-Type: application/zip`.",
  "publish-folder":
    "Publishes all files at once, as a new version. Repeating the call does not publish again. If the service already has every file, send this call right after the one that starts the publication.",
  "delete-version": "The only version of a drop cannot be deleted. Delete the drop instead.",
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
      body: { note: "Adds the figures for January." },
      response: { ...drop, sha256, files: 1, open_feedback: 1 },
    },
    "get-drop": { response: drop },
    "publish-version": {
      body: { html: exampleHtml, context: "The same figures, with January added." },
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
    "move-drop": { body: { to: "growth" }, response: drop },
    "set-passcode": { body: { passcode: "open sesame" }, response: { ...drop, locked: true } },
    "list-reads": {
      response: {
        reads: [{ reader: "ada@example.com", day: exampleReadDay, first_at: exampleUpdatedAtMs }],
        next_cursor: null,
        recording: true,
        readers_this_week: 1,
        shared_since: exampleUpdatedAtMs - 86_400_000,
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

/** The drop that all examples use. */
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
    readable_by: "anyone",
    indexed: false,
    feedback: "off",
    answers: "off",
    answers_results: false,
    expires_at: null,
  };
}

/** Descriptions of the two expiry fields, for the given body schemas. */
export function describeExpiry(
  subject: "drop" | "file",
  ...bodies: readonly string[]
): Record<string, string> {
  return Object.fromEntries(
    bodies.flatMap((body) => [
      [
        `${body}.expires_at`,
        `Expiry time of the ${subject} in Unix milliseconds, at least a minute ahead. null: never.`,
      ],
      [`${body}.expires_in_days`, "Expiry in days from now. Send this or `expires_at`, not both."],
    ]),
  );
}

import { createHash } from "node:crypto";
import type { MeResponse, TokenResponse, UsageResponse } from "../../account/schemas.ts";
import type { BlobListResponse, BlobResponse } from "../../blobs/schemas.ts";
import { withHtmlbinCliListAdditions } from "../../drops/htmlbin-cli-compat.ts";
import type { DropResponse, PublicationStartResponse, VersionResponse } from "../../drops/schemas.ts";
import { exampleFeedback } from "../../feedback/openapi-example.ts";
import { limits } from "../../http/limits.ts";
import type { SignInPollResponse, SignInStartResponse } from "../../identity/schemas.ts";
import type { LibraryDropResponse, LibraryResponse } from "../../library/schemas.ts";
import { exampleRender } from "../../renders/openapi-example.ts";
import type { OperationId } from "../../routes.ts";
import type { OembedResponse } from "../../viewer/schemas.ts";
import { type DocumentSite, writtenSite } from "../site.ts";
import type { JsonObject } from "./json.ts";

/** Example of a call and its response. */
export interface OperationExample {
  /** The JSON body, or the fields of a form. */
  readonly body?: JsonObject;
  /** The JSON response. */
  readonly response?: JsonObject;
  /** The same where it is under way, by 202. @default - it never is */
  readonly accepted?: JsonObject;
}

/** The owner in all examples. */
export const exampleNamespace = "ada";

/** The drop in all examples. */
export const exampleSlug = "aB3dE5f";

/** Its entity tag. */
export const exampleEntityTag = '"4-mkfz5y80"';

const fileId = "fG7hI9j";
const tokenId = "Zx81QpLm40Vt";
const userId = "u5T2kQ9bV7cX1mN4";
const createdAtMs = Date.UTC(2026, 0, 15, 9, 30);
const updatedAtMs = createdAtMs + 86_400_000;

/** In the shape of an API token, and none of anyone. */
const exampleToken = "hb_0123456789ABCDEFGHIJabcdefghij012345";

const exampleCursor = "b3V0b2ZzaWdodG91dG9mbWluZGFuZG5vYm9keXN0b3JlYWRoZXJlYXRhbGxvZmNvdXJzZW5vdA";

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

/** Example diff of a version. */
export const exampleDiff = `--- ${exampleSlug}/1/html
+++ ${exampleSlug}/2/html
@@ -3,1 +3,1 @@
-<p>Revenue is up by 11 percent.</p>
+<p>Revenue is up by 12 percent.</p>
`;

const sha256 = createHash("sha256").update(exampleHtml).digest("hex");

/** Example of a page's context. */
export const exampleContext = "Made from the figures of the finance sheet.";

const exampleFileKey =
  "kq1W2e3R4t5Y6u7I8o9P0a1S2d3F4g5H6j7K8l9Z0x1Cq1W2e3R4t5Y6u7I8o9P0a1S2d3F4g5H6j7K8l9Z0x1Cq1W2e3R4t5Y6u7I8o9P0a1S2d3F4g5H6j7K8l9Z";

const examplePublicationKey = "q7Kd0sVx2ZbN5mRt8YwPcA1fGhJ4uLeQ9oTi6BnXzMs";

/** Example path parameters; blobs and tokens both call theirs `id`. */
export const pathExamples: Readonly<Record<string, string | number>> = {
  slug: exampleSlug,
  n: 2,
  thread: 1,
  "blobs id": fileId,
  "pages id": fileId,
  key: exampleFileKey,
  namespace: exampleNamespace,
  "tokens id": tokenId,
};

/** Example query parameters of a page that is the body itself. */
export const pageParameterExamples: Readonly<Record<string, unknown>> = {
  context: exampleContext,
  description: "Revenue, churn and cost.",
  feedback: "readers",
  indexed: true,
  metadata: { "metadata.project": "walk-through" },
  note: "With the figures of January.",
  readers: "ada@example.com,@example.org",
  title: "Quarterly numbers",
  visibility: "unlisted",
};

/** Example query parameters, by their names on the wire. */
export const queryExamples: Readonly<Record<string, unknown>> = {
  account: "any",
  at: "owner",
  bind: "n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg",
  code: "BCDF-GHJK",
  "compare-versions from": 1,
  "list-feedback slug": exampleSlug,
  cursor: exampleCursor,
  error: "access_denied",
  download: "1",
  drawn: "card",
  framed: "1",
  filename: "chart.png",
  format: "md",
  key: examplePublicationKey,
  iss: "https://id.example.com",
  maxheight: 630,
  maxwidth: 1_200,
  metadata: { "metadata.project": "walk-through" },
  owner: exampleNamespace,
  page: 1,
  pageSize: 20,
  proof: "q1W2e3R4t5Y6u7I8o9P0a1S2d3F4g5H6j7K8l9Z0x1C",
  q: "quarterly numbers",
  "show-comparison from": 1,
  reader: "1",
  readers: ["grace@example.com", "@example.org"],
  "list-feedback state": "open",
  since: 40,
  wait: 20,
  slug: exampleSlug,
  sortBy: "updated_at",
  sortOrder: "desc",
  to: `/p/${exampleSlug}?v=2`,
  "compare-versions to": 2,
  "show-comparison to": 2,
  state: "BCDF-GHJK",
  token: "p0Ll7t0k3nP0Ll7t0k3nP0Ll7t0k3nP0Ll7t0k3nP0L",
  typed: "GHJK",
  v: 2,
  visibility: "people",
  view: "text",
  url: `${writtenSite.ownerUrl(exampleNamespace)}/d/${exampleSlug}`,
};

/** A call of each operation that has a JSON body or answer, or a form. */
export function operationExamples(site: DocumentSite): Partial<Record<OperationId, OperationExample>> {
  const drop = exampleDrop(site);
  const feedback = exampleFeedback({ slug: exampleSlug, writtenAtMs: createdAtMs + 3_600_000 });
  const blob = {
    id: fileId,
    filename: "chart.png",
    content_type: "image/png",
    size_bytes: 48_213,
    url: `${site.ownerUrl(exampleNamespace)}/b/${fileId}`,
    created_at: createdAtMs,
    visibility: "public",
  } satisfies BlobResponse;
  const version = (number: number): VersionResponse => ({
    slug: exampleSlug,
    version: number,
    size_bytes: 412 + number,
    has_context: number === 2,
    created_at: createdAtMs + (number - 1) * 86_400_000,
  });
  return {
    "start-sign-in": {
      body: { label: "my agent" },
      response: {
        code: "BCDF-GHJK",
        verification_url: `${site.baseUrl}/verify?code=BCDF-GHJK`,
        poll_token: "p0Ll7t0k3nP0Ll7t0k3nP0Ll7t0k3nP0Ll7t0k3nP0L",
        expires_in: limits.deviceCodeSeconds,
        poll_interval: limits.pollIntervalSeconds,
      } satisfies SignInStartResponse,
    },
    "poll-sign-in": {
      response: { status: "verified", api_token: exampleToken, user_id: userId } satisfies SignInPollResponse,
    },
    "start-browser-sign-in": { body: { label: "Made by hand" } },
    "reveal-token": { body: {} },
    "undo-sign-in": { body: {} },
    "sign-out-reader": { body: {} },
    "get-me": {
      response: {
        user_id: userId,
        created_at: createdAtMs,
        drop_count: 1,
        token: exampleTokenInfo,
      } satisfies MeResponse,
    },
    "get-usage": {
      response: {
        plan: "free",
        drops: { used: 1, limit: limits.dropsPerAccountMax },
        blobs: {
          used: 1,
          bytes_used: 48_213,
          bytes_limit: limits.blobBytesPerAccountMax,
          max_blob_bytes: limits.blobBytesMax,
        },
        subdomains: { used: 1, limit: limits.subdomainsPerAccountMax },
      } satisfies UsageResponse,
    },
    "list-tokens": { response: { tokens: [exampleTokenInfo] } },
    "list-blobs": {
      response: { blobs: [blob], page: 1, page_size: 20, total: 1 } satisfies BlobListResponse,
    },
    "upload-blob": { response: blob },
    "edit-blob": { body: { visibility: "members" }, response: { ...blob, visibility: "members" } },
    "start-upload": {
      body: { filename: "chart.png", content_type: "image/png", size_bytes: 48_213 },
      response: {
        id: fileId,
        url: "https://bucket.s3.us-east-1.amazonaws.com/uploads/fG7hI9j?X-Amz-Signature=0123",
        method: "PUT",
        headers: { "content-type": "image/png", "content-length": "48213" },
        expires_in: limits.uploadUrlSeconds,
      },
    },
    "complete-upload": { response: blob },
    "list-drops": {
      response: withHtmlbinCliListAdditions(
        { drops: [drop], page: 1, page_size: 20, total: 1 },
        { filters: ["metadata.project=reports"], isForCli: false },
      ),
    },
    "list-library": {
      response: {
        drops: [exampleLibraryDrop(drop)],
        next_cursor: exampleCursor,
      } satisfies LibraryResponse,
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
        updated_at: createdAtMs,
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
    "get-drop": { response: drop },
    "publish-version": {
      body: { html: exampleHtml, context: "The same with the figures of January." },
      response: { ...drop, sha256, open_feedback: 1 },
    },
    "edit-drop": {
      body: { title: "Quarterly numbers", metadata: { project: "walk-through" } },
      response: drop,
    },
    "set-passcode": { body: { passcode: "open sesame" }, response: { ...drop, locked: true } },
    "list-versions": { response: { versions: [version(2), version(1)] } },
    "get-version": { response: version(2) },
    "get-render": { ...exampleRender({ slug: exampleSlug, renderedAtMs: updatedAtMs + 9_000 }) },
    "list-feedback": { response: feedback.list },
    "reply-to-feedback": { body: { text: feedback.reply.text }, response: feedback.reply },
    "resolve-feedback": { body: { state: "resolved" }, response: feedback.resolved },
    "restore-version": {
      body: { version: 1 },
      response: { ...drop, latest_version: 3, sha256, open_feedback: 1 },
    },
    "read-drop-state": { response: { state: "open", latest_version: 2 } },
    "read-oembed": { response: exampleOembed(site) },
    "unlock-drop": { body: { passcode: "open sesame" } },
    "call-mcp": {
      body: { jsonrpc: "2.0", id: 1, method: "ping" },
      response: { jsonrpc: "2.0", id: 1, result: {} },
    },
  };
}

/** The same drop as another member finds it. */
function exampleLibraryDrop({
  view_count: _,
  readers: __,
  indexed: ___,
  feedback: ____,
  ...drop
}: DropResponse): LibraryDropResponse {
  return { ...drop, visibility: "members", owner: exampleNamespace, own: false } as LibraryDropResponse;
}

const exampleTokenInfo = {
  id: tokenId,
  label: "my agent",
  created_at: createdAtMs,
  last_used_at: updatedAtMs,
} satisfies TokenResponse;

function exampleOembed(site: DocumentSite): OembedResponse {
  const ownerUrl = site.ownerUrl(exampleNamespace);
  return {
    version: "1.0",
    type: "link",
    title: "Quarterly numbers",
    author_name: exampleNamespace,
    author_url: `${ownerUrl}/`,
    provider_name: "Dropleaf",
    provider_url: `${site.baseUrl}/`,
    cache_age: 3_600,
    thumbnail_url: `${ownerUrl}/p/${exampleSlug}/raw?drawn=card&v=2`,
    thumbnail_width: 1_200,
    thumbnail_height: 630,
  };
}

function exampleDrop(site: DocumentSite): DropResponse {
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
    created_at: createdAtMs,
    updated_at: updatedAtMs,
    visibility: "public",
    indexed: false,
    feedback: "off",
  };
}

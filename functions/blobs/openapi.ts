import { limits } from "../core/limits.ts";
import {
  type DescribedParameters,
  type DescribedPathParameters,
  exampleCreatedAtMs,
  exampleNamespace,
  type OperationExamples,
} from "../core/openapi.ts";
import type { DocumentSite } from "../core/written-site.ts";
import { describeExpiry } from "../drops/openapi.ts";
import { patterns } from "../http/schemas.ts";
import type { BlobListResponse, BlobResponse } from "./schemas.ts";

/** Descriptions of the schemas and their fields. Each key is the schema's name, followed by the path to the field. */
export const fields: Readonly<Record<string, string>> = {
  Blob: "An uploaded file.",
  "Blob.id": "The file's permanent identifier.",
  "Blob.content_type": "The media type as uploaded. Default: `application/octet-stream`.",
  "Blob.url": "The file's permanent address.",
  "Blob.readers": "The file's readers, if its visibility is `people`.",
  "Blob.expires_at":
    "Expiry in Unix milliseconds: the file then returns 404, and is deleted within minutes. Absent: never.",
  ...describeExpiry("file", "EditBlob", "StartUpload"),
  "Blob.readable_by": 'The readers of the file in words: "ada@example.com and people in engineering".',
  "Blob.visibility":
    "The file's readers. `public`: anyone. `unlisted`: anyone with its address; the owner's page does not show it. `members`: members of this service. `people`: those in `readers`. Its owner can always read it.",
  GetBlobAdditions: "Additional fields of the response.",
  "GetBlobAdditions.bytes_url":
    "URL of the file's bytes: `url`, or for a restricted file a URL that works for a minute, for anyone who has it.",
  BlobList: "One page of the caller's files.",
  "BlobList.blobs": "The files of this page, newest first.",
  "BlobList.page": "The number of this page, from 1.",
  "BlobList.page_size": "Number of files on a page.",
  "BlobList.total": "Total number of files.",
  FileSecrets: "Additional fields of the response to an upload.",
  "FileSecrets.secrets": "Likely secrets in the stored file. Absent if none were found.",
  "FileSecrets.secrets.column": "The column, from 1, in UTF-16 code units.",
  "FileSecrets.secrets.field":
    "Always absent for a file. For a page, it names the field that contains the secret.",
  "FileSecrets.secrets.line": "The line, from 1.",
  "FileSecrets.secrets.rule":
    "The rule that found the secret, such as `github`. The secret itself is never repeated.",
  EditBlob: "Fields to change; absent fields stay unchanged.",
  "EditBlob.visibility":
    "The file's readers. `public`: anyone. `unlisted`: anyone with its address; the owner's page does not show it. `members`: members of this service. `people`: those in `readers`. Absent: unchanged.",
  StartUpload: "The declared file.",
  "StartUpload.content_type": "The file's media type. Default: `application/octet-stream`.",
  "StartUpload.visibility":
    "The file's readers. `public`: anyone. `unlisted`: anyone with its address; the owner's page does not show it. `members`: members of this service. `people`: those in `readers`. Absent: the operator's default, which is `public` unless it is changed.",
  "StartUpload.size_bytes": `The file's exact size: 1 to ${limits.blobBytesMax} bytes.`,
  StartUploadResponse: "Address and headers for the upload.",
  "StartUploadResponse.expires_in": "Lifetime of the address, in seconds.",
  "StartUploadResponse.headers": "The exact headers to send with the file.",
  "StartUploadResponse.id": "The file's identifier, used to complete the upload.",
  "StartUploadResponse.method": "The method of the upload request.",
  "StartUploadResponse.url": "The address of the upload request.",
};

const fileId = "fG7hI9j";

const idParameter = {
  schema: { type: "string", pattern: patterns.blobId.source },
  description: "The file's identifier, from the response to its upload.",
  example: fileId,
};

/** Descriptions of path parameters, by name, or by resource and name if the meaning depends on the resource. */
export const pathParameters: DescribedPathParameters = {
  "blobs id": idParameter,
  "pages id": idParameter,
  key: {
    schema: { type: "string" },
    description: "The reader's key, from the address in the page.",
    example:
      "kq1W2e3R4t5Y6u7I8o9P0a1S2d3F4g5H6j7K8l9Z0x1Cq1W2e3R4t5Y6u7I8o9P0a1S2d3F4g5H6j7K8l9Z0x1Cq1W2e3R4t5Y6u7I8o9P0a1S2d3F4g5H6j7K8l9Z",
  },
  namespace: {
    schema: { type: "string", pattern: patterns.namespace.source },
    description: "The owner's namespace, as in the file's address.",
    example: exampleNamespace,
  },
};

/** Descriptions of query parameters, by name, or by operation and name if the meaning depends on the operation. */
export const queryParameters: DescribedParameters = {
  "show-file key": {
    description: "The key from a restricted page that embeds the file.",
    example: "kZm9yLW9uZS1yZWFkZXItb2Ytb25lLXBhZ2UtYW5kLWZpbGU",
  },
  allow_secrets: {
    description:
      "The reason to store a file with a likely secret, if the setting `secretScan` refuses such files. The audit trail records the reason.",
    example: "The key in the example was revoked in January.",
  },
  expires_at: {
    description: "Expiry in Unix milliseconds, at least a minute ahead. null: never.",
    example: "1796083200000",
  },
  expires_in_days: {
    description: "Expiry in days from now. Send either this or `expires_at`.",
    example: "30",
  },
  filename: { description: "The file's name.", example: "chart.png" },
  readers: {
    description:
      "The file's readers, if its visibility is `people`: a parameter for each e-mail address, domain such as `@example.com`, user name, or group such as `group:engineering`.",
    example: ["grace@example.com", "@example.org"],
  },
  visibility: {
    description:
      "The file's readers. `public`: anyone. `unlisted`: anyone with its address. `members`: members of this service. `people`: those in `readers`. Absent: the operator's default, which is `public` unless it is changed.",
    example: "people",
  },
};

/** Notes that supplement the summaries of the operations. */
export const notes: Readonly<Record<string, string>> = {
  "start-upload":
    "A call that is repeated with the same `Idempotency-Key` returns the same `id` and a newly signed address. The time limit of the first response still applies.",
  "upload-blob":
    "Browsers show images, video and audio from the response's `url`, and download all other files.",
  "show-file": "Browsers are redirected here if a file is not served at its own address.",
};

/** Example calls and responses. */
export const examples = (site: DocumentSite) => {
  const blob = {
    id: fileId,
    filename: "chart.png",
    content_type: "image/png",
    size_bytes: 48_213,
    url: `${site.ownerUrl(exampleNamespace)}/b/${fileId}`,
    created_at: exampleCreatedAtMs,
    visibility: "public",
    readable_by: "anyone",
  } satisfies BlobResponse;
  return {
    "list-blobs": {
      response: { blobs: [blob], page: 1, page_size: 20, total: 1 } satisfies BlobListResponse,
    },
    "get-blob": { response: { ...blob, bytes_url: blob.url } },
    "upload-blob": { response: blob },
    "edit-blob": {
      body: { visibility: "members" },
      response: { ...blob, visibility: "members", readable_by: "members of this service" },
    },
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
  } satisfies OperationExamples;
};

import { limits } from "../core/limits.ts";
import { describeExpiry } from "../drops/openapi.ts";
import {
  type DescribedParameters,
  type DescribedPathParameters,
  exampleCreatedAtMs,
  exampleNamespace,
  type OperationExamples,
} from "../http/openapi.ts";
import { patterns } from "../http/schemas.ts";
import type { DocumentSite } from "../http/written-site.ts";
import type { BlobListResponse, BlobResponse } from "./schemas.ts";

/** Descriptions of the schemas and their fields, by the path from the schema's name. */
export const fields: Readonly<Record<string, string>> = {
  Blob: "An uploaded file.",
  "Blob.id": "The file's permanent identifier.",
  "Blob.content_type": "As it was uploaded; `application/octet-stream` where nothing was said.",
  "Blob.url": "The file's permanent address.",
  "Blob.readers": "Whom the file is for; only where its visibility is `people`.",
  "Blob.expires_at":
    "When it expires, in Unix milliseconds: from then on it is not found, and it is deleted within minutes. Absent: never.",
  ...describeExpiry("file", "EditBlob", "StartUpload"),
  "Blob.readable_by": 'Who may read the file, in words: "ada@example.com and people in engineering".',
  "Blob.visibility":
    "Who may read the file. `public`: anybody. `unlisted`: anybody who has its address; the owner's page does not show it. `members`: members of this service. `people`: those whom `readers` names. Its owner always.",
  GetBlobAdditions: "What the response has beside the file.",
  "GetBlobAdditions.bytes_url":
    "Address of the file's bytes: `url`, or of a file for some readers one that works for a minute, and for whoever has it.",
  BlobList: "One page of the caller's files.",
  "BlobList.blobs": "The files of this page, newest first.",
  "BlobList.page": "The number of this page, from 1.",
  "BlobList.page_size": "How many files a page has.",
  "BlobList.total": "How many files there are, on all pages.",
  FileSecrets: "What the response to an upload has beside the file.",
  "FileSecrets.secrets": "Likely secrets in the file, which was stored; absent where there are none.",
  "FileSecrets.secrets.column": "The column, from 1, in UTF-16 code units.",
  "FileSecrets.secrets.field": "Always absent: it marks secrets of a page's context.",
  "FileSecrets.secrets.line": "The line, from 1.",
  "FileSecrets.secrets.rule":
    "The rule that found it, such as `github`. The secret itself is never repeated.",
  EditBlob: "What to change; a field that is absent stays as it is.",
  "EditBlob.visibility":
    "Who may read the file. `public`: anybody. `unlisted`: anybody who has its address; the owner's page does not show it. `members`: members of this service. `people`: those whom `readers` names. Absent: as it is.",
  StartUpload: "The file that is to come.",
  "StartUpload.content_type": "The file's media type; `application/octet-stream` where nothing is said.",
  "StartUpload.visibility":
    "Who may read the file. `public`: anybody. `unlisted`: anybody who has its address; the owner's page does not show it. `members`: members of this service. `people`: those whom `readers` names. Absent: as the operator has chosen, which is `public` where they have not.",
  "StartUpload.size_bytes": `The file's exact size: 1 to ${limits.blobBytesMax} bytes.`,
  StartUploadResponse: "Where to send the file.",
  "StartUploadResponse.expires_in": "Seconds that the address takes the file.",
  "StartUploadResponse.headers": "The headers to send the file with, exactly these.",
  "StartUploadResponse.id": "The file's identifier, which completing it asks for.",
  "StartUploadResponse.method": "The method to send the file with.",
  "StartUploadResponse.url": "The address to send the file to.",
};

const fileId = "fG7hI9j";

const idParameter = {
  schema: { type: "string", pattern: patterns.blobId.source },
  description: "The file's identifier, from its response.",
  example: fileId,
};

/** Path parameters, by name, or by resource and name where two resources differ. */
export const pathParameters: DescribedPathParameters = {
  "blobs id": idParameter,
  "pages id": idParameter,
  key: {
    schema: { type: "string" },
    description: "What the page has put into the address for its reader.",
    example:
      "kq1W2e3R4t5Y6u7I8o9P0a1S2d3F4g5H6j7K8l9Z0x1Cq1W2e3R4t5Y6u7I8o9P0a1S2d3F4g5H6j7K8l9Z0x1Cq1W2e3R4t5Y6u7I8o9P0a1S2d3F4g5H6j7K8l9Z",
  },
  namespace: {
    schema: { type: "string", pattern: patterns.namespace.source },
    description: "Whose file it is: the part of its address that names the owner.",
    example: exampleNamespace,
  },
};

/** Query parameters, by name, or by operation and name where two operations differ. */
export const queryParameters: DescribedParameters = {
  "show-file key": {
    description: "The key that a page for some readers had for the file.",
    example: "kZm9yLW9uZS1yZWFkZXItb2Ytb25lLXBhZ2UtYW5kLWZpbGU",
  },
  allow_secrets: {
    description:
      "The reason to store the file with what looks like a secret, where the setting `secretScan` refuses that. The audit trail keeps it.",
    example: "The key in the example was revoked in January.",
  },
  expires_at: {
    description: "When the file expires, in Unix milliseconds, at least a minute ahead. null: never.",
    example: "1796083200000",
  },
  expires_in_days: { description: "The same in days from now. Send one of the two.", example: "30" },
  filename: { description: "The file's name.", example: "chart.png" },
  readers: {
    description:
      "Whom the file is for, where its visibility is `people`: a parameter for each e-mail address, domain such as `@example.com`, user name, or group such as `group:engineering`.",
    example: ["grace@example.com", "@example.org"],
  },
  visibility: {
    description:
      "Who may read the file. `public`: anybody. `unlisted`: anybody who has its address. `members`: members of this service. `people`: those whom `readers` names. Without it, as the operator has chosen, which is `public` where they have not.",
    example: "people",
  },
};

/** Notes on the operations, beyond their summaries. */
export const notes: Readonly<Record<string, string>> = {
  "start-upload":
    "Repeated with the same `Idempotency-Key`, the response has the same `id` and an address signed anew; it has to be completed within the time that the first one gave.",
  "upload-blob":
    "Images, video and audio are shown in place at the response's `url`; every other file is a download.",
  "show-file": "Where a window goes on to that finds nothing at a file's own address.",
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
    readable_by: "anybody",
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

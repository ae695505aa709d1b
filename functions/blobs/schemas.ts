import * as z from "zod/mini";
import { limits } from "../core/limits.ts";
import { expiryFields, expiryParameters } from "../drops/expiry-schemas.ts";
import { choice, freeText, pageNumber, pageSize, requiredText } from "../http/query.ts";
import {
  accepts,
  count,
  mustBe,
  patterns,
  problem,
  schema,
  text,
  unixMilliseconds,
  versionNumber,
} from "../http/schemas.ts";
import { blobUrl, type Site } from "../http/site.ts";
import { readersField } from "../identity/reader-names.ts";
import { presentVisibility, visibilityKinds } from "../policies/access.ts";
import { allowSecretsParameter } from "../secrets/schemas.ts";
import type { ListedBlob } from "./blob.ts";

const filenameJson = /* @__PURE__ */ schema(() => ({
  type: "string",
  minLength: 1,
  maxLength: limits.blobFilenameCharactersMax,
  pattern: patterns.filename.source,
}));

const filename = /* @__PURE__ */ schema(() =>
  accepts(
    z.pipe(
      z.string(),
      z.transform((value, context) => {
        const charactersMax = limits.blobFilenameCharactersMax;
        if (value.length <= charactersMax && patterns.filename.test(value)) return value;
        const wrong = new Set(
          [...value].filter((character) => !patterns.filename.test(character)).slice(0, 100),
        );
        const inIt =
          wrong.size === 0 ? "" : ` It contains ${[...wrong].map((one) => JSON.stringify(one)).join(", ")}.`;
        const message = `${mustBe(`1 to ${charactersMax} letters, digits, dashes, dots and spaces`, JSON.stringify(value.slice(0, charactersMax)))}${inIt}`;
        context.issues.push({ code: "custom", input: value, ...problem("invalid_filename", message) });
        return z.NEVER;
      }),
    ),
    filenameJson,
  ),
);

const sizeBytes = /* @__PURE__ */ schema(() =>
  accepts(
    z.pipe(
      z.int(),
      z.transform((value, context) => {
        if (value > 0 && value <= limits.blobBytesMax) return value;
        const details = { field: "size_bytes", bytes: value, bytes_max: limits.blobBytesMax };
        const message = `size_bytes is ${value}; a blob has 1 to ${limits.blobBytesMax} bytes.`;
        const code = value > 0 ? "blob_too_large" : value === 0 ? "empty_blob" : "invalid_arg";
        context.issues.push({ code: "custom", input: value, ...problem(code, message, details) });
        return z.NEVER;
      }),
    ),
    { type: "integer", minimum: 1, maximum: limits.blobBytesMax },
  ),
);

/** A Content-Type in printable ASCII. Headers transmit such a value unchanged (RFC 9110, section 5.5). */
const contentType = /* @__PURE__ */ schema(() =>
  accepts(
    z.pipe(
      text({
        name: "content_type",
        codePointsMax: limits.contentTypeCharactersMax,
        tooLong: "invalid_arg",
        trimmed: true,
      }),
      z.transform((value, context) => {
        if (patterns.printable.test(value)) return value;
        const message = "content_type may have printable ASCII characters only.";
        const details = { field: "content_type" };
        context.issues.push({ code: "custom", input: value, ...problem("invalid_arg", message, details) });
        return z.NEVER;
      }),
    ),
    { type: "string", maxLength: 255, pattern: patterns.printable.source },
  ),
);

/** Readers of a file, as its owner sets them; see docs/adr/0051-restricted-files.md. */
const whoMayRead = /* @__PURE__ */ schema(() => ({
  visibility: z.optional(z.enum(visibilityKinds)),
  readers: z.optional(readersField()),
}));

/** Body of `POST /api/blobs/uploads`. */
export const startUploadBody = /* @__PURE__ */ schema(() =>
  z.object({
    filename,
    content_type: z.optional(contentType),
    size_bytes: sizeBytes,
    ...whoMayRead,
    ...expiryFields,
  }),
);

/** Response of `POST /api/blobs/uploads`: the URL for the file and the headers to send. */
export const uploadResponse = /* @__PURE__ */ schema(() =>
  z.object({
    id: z.string().check(z.regex(patterns.blobId)),
    url: z.url(),
    method: z.literal("PUT"),
    headers: z.record(z.string(), z.string()),
    expires_in: z.int().check(z.minimum(1)),
  }),
);

export type UploadResponse = z.output<typeof uploadResponse>;

/** A file in a response (section "Blob" of the specification). The readers are an addition; see docs/adr/0051-restricted-files.md. */
export const blobResponse = /* @__PURE__ */ schema(() =>
  z.object({
    id: z.string().check(z.regex(patterns.blobId)),
    filename: z.string(),
    content_type: z.string(),
    size_bytes: count,
    url: z.url(),
    created_at: unixMilliseconds,
    visibility: z.enum(visibilityKinds),
    readers: z.optional(z.array(z.string())),
    readable_by: z.string(),
    expires_at: z.optional(unixMilliseconds),
  }),
);

/** Field with the URL of a file's bytes, for its owner. The URL of a restricted file works for a minute. */
export const blobAdditions = /* @__PURE__ */ schema(() => z.object({ bytes_url: z.url() }));

/** Response of `GET /api/blobs`, similar to section "DropList" of the specification. */
export const blobListResponse = /* @__PURE__ */ schema(() =>
  z.object({
    blobs: z.array(blobResponse),
    page: versionNumber,
    page_size: versionNumber,
    total: count,
  }),
);

export type BlobListResponse = z.output<typeof blobListResponse>;

/** Body of `PATCH /api/blobs/{id}`. */
export const editBlobBody = /* @__PURE__ */ schema(() => z.object({ ...whoMayRead, ...expiryFields }));

export type BlobResponse = z.output<typeof blobResponse>;

/** Query of `POST /api/blobs?filename=&visibility=&readers=`. The parameter `readers` is repeated for each reader. */
export const uploadBlobQuery = /* @__PURE__ */ schema(() =>
  z.object({
    filename: accepts(
      z.pipe(
        requiredText(
          "invalid_filename",
          ": send a name such as ?filename=report.csv, with the file's bytes as the body",
        ),
        filename,
      ),
      filenameJson,
    ),
    visibility: z.optional(choice(visibilityKinds)),
    readers: z.optional(readersField()),
    ...expiryParameters,
    allow_secrets: z.optional(allowSecretsParameter),
  }),
);

/** Query of `POST /api/blobs/uploads/{id}/complete?allow_secrets=`. */
export const completeUploadQuery = /* @__PURE__ */ schema(() =>
  z.object({ allow_secrets: z.optional(allowSecretsParameter) }),
);

/** Query of `GET /api/blobs?page=&pageSize=`. */
export const listBlobsQuery = /* @__PURE__ */ schema(() => z.object({ page: pageNumber, pageSize }));

/** Query of `GET /files/{namespace}/{id}?key=`. */
export const fileKeyQuery = /* @__PURE__ */ schema(() =>
  z.object({ key: z.catch(z.optional(freeText()), undefined) }),
);

/** Formats a file for API responses (section "Blob" of the specification). */
export function presentBlob(site: Site, blob: ListedBlob): BlobResponse {
  return {
    id: blob.id,
    filename: blob.filename,
    content_type: blob.contentType,
    size_bytes: blob.sizeBytes,
    url: blobUrl(site, blob.namespace, blob.id),
    created_at: blob.createdAtMs,
    ...presentVisibility(blob.visibility),
    ...(blob.expiresAtMs === undefined ? {} : { expires_at: blob.expiresAtMs }),
  };
}

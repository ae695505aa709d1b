import { createHash } from "node:crypto";
import { uploadContentType } from "../blobs/blob.ts";
import { storeOwnedBlob } from "../blobs/owned-blobs.ts";
import { presentBlob, startUploadBody } from "../blobs/schemas.ts";
import { ApiError } from "../core/errors.ts";
import { requestDigest, respondOnce } from "../http/idempotency.ts";
import { wholeBody } from "../http/request.ts";
import { created } from "../http/response.ts";
import { validate } from "../http/validation.ts";
import { reviewFile, scannedFileBytesMax } from "../secrets/secret-review.ts";
import { accountText } from "./account-text.ts";
import { type FileForm, parseFileForm, publishedName, uploadBytesMax } from "./file-form.ts";
import { uploadOwnFileRoute } from "./file-rows.ts";
import { ownFilesPage } from "./own-files.ts";
import { ownerForm } from "./owner-form.ts";
import { problemOf } from "./problem.ts";

const words = accountText.problems;

/** POST /account/files: uploads an owner's file from a browser. A form that is sent twice creates one file. */
export const uploadOwnFile = ownerForm(uploadOwnFileRoute, {
  pageOf: () => ({ page: "files" }),
  parse: ({ request }) => parseFileForm(request),
  read: ({ file, get }: FileForm) => {
    const wrong = (message: string) => new ApiError("invalid_arg", { message, details: { field: "file" } });
    if (file === undefined) throw wrong("Choose a file.");
    if (file.bytes.byteLength === 0) throw wrong("That file is empty. Choose another file.");
    if (file.bytes.byteLength > uploadBytesMax)
      throw wrong(
        "That file is too large to upload from a browser. Your agent can upload files of up to 25 MB with POST /api/blobs.",
      );
    const once = get("once") ?? "";
    if (!/^[0-9a-f-]{36}$/.test(once)) throw wrong(words.incomplete);
    const named = get("name")?.trim() || publishedName(file.name);
    // Validates the fields with the schema that also validates the start of a multi-step upload.
    const { filename, content_type, visibility } = validate(startUploadBody, {
      filename: named,
      content_type: uploadContentType(file.contentType),
      size_bytes: file.bytes.byteLength,
      visibility: get("visibility") ?? undefined,
    });
    return { bytes: file.bytes, once, filename, contentType: uploadContentType(content_type), visibility };
  },
  change: async ({ owner, site, nowMs, randomInt, act }, { bytes, once, ...facts }) => {
    const digest = () =>
      requestDigest({ ...facts, sha256: createHash("sha256").update(bytes).digest("hex") });
    const request = { operation: uploadOwnFileRoute.id, caller: owner, idempotencyKey: once, nowMs, digest };
    const { readBody: _, bodyBytes, bodyStream: stream, contentLength } = wholeBody(bytes);
    const body = { contentLength, bytes: bodyBytes, stream };
    const review = reviewFile(bytes.subarray(0, scannedFileBytesMax), {
      isCut: bytes.byteLength > scannedFileBytesMax,
      act,
    });
    const { wrote } = await respondOnce(request, async (keep) => {
      const respond = (blob: Parameters<typeof presentBlob>[1]) =>
        created(presentBlob(site, blob), { blobId: blob.id });
      const made = { owner, ...facts, body };
      return respond(
        await storeOwnedBlob(made, { act: review.act, randomInt }, (blob) => keep(respond(blob))),
      );
    });
    const done = review.warnings.length === 0 ? "uploaded" : "uploadedWithSecrets";
    return { path: `/account/files?done=${done}`, ...(wrote ? { wrote } : {}) };
  },
  showAgain: (input, { get }, error) =>
    ownFilesPage(input, {
      problem: problemOf(error, { get }),
      sent: { name: get("name") ?? "", visibility: get("visibility") ?? "" },
    }),
});

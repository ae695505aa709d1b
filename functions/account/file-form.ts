import { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { type HttpRequest, singleHeader } from "../http/request.ts";
import { accountText } from "./account-text.ts";

/**
 * Maximum size of an uploaded file in bytes. Smaller than the edge's limit on request bodies (`functions/edge/viewer-request.ts`), because
 * the body also contains the form's other fields.
 */
export const uploadBytesMax = 3_000_000;

/** A form with a file, submitted as `multipart/form-data` (RFC 7578). */
export type FileForm = Awaited<ReturnType<typeof parseFileForm>>;

/**
 * Parses the fields and the file of a form with `Response.formData` (Fetch Standard, section "Body mixin"). The whole body is in memory,
 * which is possible because the edge limits the body's size.
 */
export async function parseFileForm(request: HttpRequest) {
  const headers = { "content-type": singleHeader(request, "content-type") ?? "" };
  // Copies the body, because its buffer may be shared memory.
  const body = Uint8Array.from(await request.readBody());
  const data = await new Response(body, { headers }).formData().catch((cause: unknown) => {
    throw new ApiError("invalid_arg", { message: accountText.problems.incomplete, cause });
  });
  const file = data.get("file");
  return {
    get: (name: string) => {
      const value = data.get(name);
      return typeof value === "string" ? value : null;
    },
    // If no file was chosen, browsers send an empty file without a name.
    file:
      file === null || typeof file === "string" || (file.size === 0 && file.name === "")
        ? undefined
        : { name: file.name, contentType: file.type, bytes: new Uint8Array(await file.arrayBuffer()) },
  };
}

/** Derives a valid name for a published file. Replaces the characters that the API does not allow. */
export function publishedName(name: string): string {
  const plain = name.normalize("NFKD").replace(/\p{Mark}/gu, "");
  const tidy = plain.replace(/[^A-Za-z0-9. -]+/g, "-").replace(/^-+|-+$/g, "");
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(tidy)?.[0] ?? "";
  const stem = tidy.slice(0, tidy.length - extension.length);
  return stem.slice(0, limits.blobFilenameCharactersMax - extension.length) + extension || "file";
}

import { createHash } from "node:crypto";
import pLimit from "p-limit";
import * as z from "zod/mini";
import type { FolderFile } from "./folder.ts";
import { Problem } from "./problem.ts";
import type { Answer, Client } from "./service/client.ts";
import { key, webAddress } from "./service/fields.ts";
import { sendFile } from "./service/send-file.ts";

/** Response of `POST /api/drops/{slug}/files`. */
const startedPublication = z.object({
  publication_id: key,
  /** Contents that are not in the drop's latest version, each listed once. */
  missing: z.array(
    z.object({
      path: z.string(),
      upload_url: webAddress,
      headers: z.record(
        z.string().check(z.regex(/^[A-Za-z0-9-]{1,100}$/, "must be header names")),
        z.string().check(z.regex(/^[ -~]{0,4000}$/, "must be a printable header value")),
      ),
    }),
  ),
});

/** Maximum number of concurrent uploads. */
const uploadsMax = 8;

/** Returns the SHA-256 in hexadecimal, the service's format. */
export function sha256Of(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/**
 * Publishes a new version of a folder. Uploads only files whose contents are not in the latest version.
 *
 * @param fields fields of the new version and its drop
 * @param onCount called with the number of files to upload
 */
export async function publishChangedFiles<Schema extends z.ZodMiniType>(
  client: Client,
  path: string,
  schema: Schema,
  files: readonly FolderFile[],
  { spa, fields }: { readonly spa: boolean; readonly fields: Readonly<Record<string, unknown>> },
  onCount: (count: number) => void,
): Promise<Answer<z.output<Schema>>> {
  const manifest = files.map((file) => {
    return [file.path, { sha256: sha256Of(file.bytes), bytes: file.bytes.byteLength }];
  });
  const { result: started } = await client.call(`${path}/files`, startedPublication, {
    method: "POST",
    json: { files: Object.fromEntries(manifest), ...(spa ? { spa } : {}) },
  });
  onCount(started.missing.length);
  const contents = new Map(files.map((file) => [file.path, file.bytes]));
  const { address } = client;
  const uploads = started.missing.map(({ path: name, upload_url, headers }) => {
    const bytes = contents.get(name);
    if (bytes !== undefined) return () => sendFile(upload_url, bytes, headers, address);
    throw new Problem(`${address} requests ${JSON.stringify(name)}, which is not in the folder.`);
  });
  await pLimit(uploadsMax).map(uploads, (upload) => upload());
  return client.call(`${path}/files/${started.publication_id}`, schema, { method: "POST", json: fields });
}

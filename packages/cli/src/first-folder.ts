import * as z from "zod/mini";
import { type Drop, dropSchema } from "./drop.ts";
import type { Answer, Client } from "./service/client.ts";
import { webAddress } from "./service/fields.ts";
import { sendFile } from "./service/send-file.ts";

/** Response of `POST /api/publications` with `archive_bytes`. */
const startedArchive = z.object({ url: webAddress, upload_url: webAddress });

/**
 * Publishes a new drop from a zip archive that is too large for one request. Uploads the archive to a presigned URL, and then publishes the
 * drop with the archive.
 *
 * @param fields fields of the drop and its version
 */
export async function publishFirstFolder(
  client: Client,
  archive: Uint8Array,
  fields: Readonly<Record<string, unknown>>,
): Promise<Answer<Drop>> {
  const json = { ...fields, archive_bytes: archive.byteLength };
  const { result } = await client.call("/api/publications", startedArchive, { method: "POST", json });
  await sendFile(result.upload_url, archive, {}, client.address);
  const { pathname, searchParams } = new URL(result.url);
  return client.call(pathname, dropSchema, { method: "POST", query: searchParams });
}

import { createHash } from "node:crypto";
import pLimit from "p-limit";
import type { FolderFile } from "./folder.ts";
import type { Answer, Client } from "./service/client.ts";
import { sendFile } from "./service/send-file.ts";

/** Response of `POST /api/drops/{slug}/files`. */
interface StartedPublication {
  readonly publication_id: string;
  /** Contents that the drop's latest version lacks, each once. */
  readonly missing: readonly {
    readonly path: string;
    readonly upload_url: string;
    readonly headers: Readonly<Record<string, string>>;
  }[];
}

/** Fields of a folder's publication beside its files. */
interface FolderDescription {
  readonly spa: boolean;
  /** Fields of the new version and its drop. */
  readonly fields: Readonly<Record<string, unknown>>;
}

const filesAtOnce = 8;

/**
 * Publishes a new version of a folder. Only files are sent whose contents the latest version does not have.
 *
 * @param onCount is called with the number of files that are sent
 */
export async function publishChangedFiles<Result>(
  client: Client,
  path: string,
  files: readonly FolderFile[],
  { spa, fields }: FolderDescription,
  onCount: (count: number) => void,
): Promise<Answer<Result>> {
  const manifest = files.map(({ path: name, bytes }) => [
    name,
    { sha256: createHash("sha256").update(bytes).digest("hex"), bytes: bytes.byteLength },
  ]);
  const { result: started } = await client.call<StartedPublication>(`${path}/files`, {
    method: "POST",
    json: { files: Object.fromEntries(manifest), ...(spa ? { spa } : {}) },
  });
  onCount(started.missing.length);
  const contents = new Map(files.map((file) => [file.path, file.bytes]));
  await pLimit(filesAtOnce).map(started.missing, ({ path: name, upload_url, headers }) =>
    sendFile(upload_url, contents.get(name) ?? new Uint8Array(), headers),
  );
  return client.call<Result>(`${path}/files/${started.publication_id}`, { method: "POST", json: fields });
}

import { publishChangedFiles } from "./changed-files.ts";
import { type Drop, dropPath, dropSchema } from "./drop.ts";
import { entryPath, type FolderFile } from "./folder.ts";
import { type Answer, type Client, Refusal } from "./service/client.ts";

/** Bytes of a page in which its title is looked for. */
const headBytesMax = 65_536;

/** Fields of a first publication. */
export interface FirstFields {
  readonly spa: boolean;
  /** Query of the new drop: all fields of a drop, and no others. */
  readonly drop: URLSearchParams;
  /** Fields of its version. */
  readonly version: Readonly<Record<string, unknown>>;
}

/**
 * Publishes a new drop whose files are too many bytes for one request: a small page of the same title makes the drop, then the files are
 * sent one by one, and the small page's version is deleted. Without the files there is no drop.
 */
export async function publishFirstFolder(
  client: Client,
  files: readonly FolderFile[],
  { spa, drop, version }: FirstFields,
  onCount: (count: number) => void,
): Promise<Answer<Drop>> {
  const page = `<!doctype html><meta charset="utf-8">${titleOf(files)}<p>This page is being published. Load it again in a minute.`;
  const body = { bytes: Buffer.from(page), contentType: "text/html; charset=utf-8" };
  const created = await client.call("/api/drops", dropSchema, { method: "POST", query: drop, body });
  const path = dropPath(created.result.slug);
  const fields = { spa, fields: version };
  const answer = await publishChangedFiles(client, path, dropSchema, files, fields, onCount).catch(
    async (error) => {
      await client.send(path, { method: "DELETE" }).catch(() => {});
      throw error;
    },
  );
  await client.send(`${path}/v/${created.result.latest_version}`, { method: "DELETE" }).catch((error) => {
    // A token of a workflow deletes no versions.
    if (!(error instanceof Refusal)) throw error;
  });
  return { ...answer, status: created.status };
}

/** Title element of the entry page, as it is written there. */
function titleOf(files: readonly FolderFile[]): string {
  const pages = files.filter(({ path }) => /\.html?$/i.test(path));
  const entry = pages.find(({ path }) => path === entryPath) ?? pages.find(({ path }) => !path.includes("/"));
  const head = Buffer.from((entry ?? pages[0])?.bytes ?? [])
    .subarray(0, headBytesMax)
    .toString();
  return /<title[^>]*>[\s\S]*?<\/title\s*>/i.exec(head)?.[0] ?? "";
}

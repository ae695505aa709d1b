import * as z from "zod/mini";
import { sha256Of } from "./changed-files.ts";
import { type Drop, dropPath, dropSchema } from "./drop.ts";
import type { FolderFile } from "./folder.ts";
import { type Client, Refusal } from "./service/client.ts";
import { count, versionNumber } from "./service/fields.ts";

/** A page, or the files of a folder, to publish. */
export type Content =
  | { readonly bytes: Uint8Array; readonly contentType: string }
  | { readonly files: readonly FolderFile[] };

const versionList = z.object({
  versions: z.array(
    z.object({
      version: versionNumber,
      size_bytes: count,
      has_source: z.optional(z.boolean()),
      files: z.optional(count),
      folder_bytes: z.optional(count),
    }),
  ),
});
type Version = z.output<typeof versionList>["versions"][number];

const fileList = z.object({
  spa: z.optional(z.boolean()),
  files: z.array(z.object({ path: z.string(), sha256: z.string() })),
});

/** Returns true if content equals a drop's latest version, and false if the token may publish, but not read the content. */
export async function isUnchanged(client: Client, slug: string, content: Content, spa: boolean) {
  try {
    const { result } = await client.call(dropPath(slug, "/versions"), versionList);
    const [latest] = result.versions;
    if (latest === undefined) return false;
    return "files" in content
      ? await isSameFolder(client, slug, latest, content.files, spa)
      : await isSamePage(client, slug, latest, content);
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

async function isSamePage(
  client: Client,
  slug: string,
  { version, size_bytes, has_source, files }: Version,
  { bytes, contentType }: { readonly bytes: Uint8Array; readonly contentType: string },
): Promise<boolean> {
  const isMarkdown = contentType.startsWith("text/markdown");
  if (files !== undefined || isMarkdown !== (has_source === true)) return false;
  // The sizes of Markdown files cannot be compared, because the list of versions contains only the size of the rendered page.
  if (!isMarkdown && size_bytes !== bytes.byteLength) return false;
  const query = new URLSearchParams({ v: String(version) });
  const stored = await client.send(dropPath(slug, isMarkdown ? "/source" : "/html"), { query });
  return Buffer.compare(stored.bytes, bytes) === 0;
}

async function isSameFolder(
  client: Client,
  slug: string,
  latest: Version,
  files: readonly FolderFile[],
  spa: boolean,
): Promise<boolean> {
  const bytes = files.reduce((sum, file) => sum + file.bytes.byteLength, 0);
  if (latest.files !== files.length || latest.folder_bytes !== bytes) return false;
  const query = new URLSearchParams({ v: String(latest.version) });
  const { result } = await client.call(dropPath(slug, "/files"), fileList, { query });
  const stored = new Map(result.files.map(({ path, sha256 }) => [path, sha256]));
  return result.spa === spa && files.every((file) => stored.get(file.path) === sha256Of(file.bytes));
}

/** Updates the drop with the fields that do not belong to a version. Returns the drop. */
export async function editUnchanged(
  client: Client,
  slug: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<Drop> {
  const { note: _, context: __, allow_secrets: ___, ...ofDrop } = fields;
  const hasFields = Object.keys(ofDrop).length > 0;
  const call = hasFields ? ({ method: "PATCH", json: ofDrop } as const) : {};
  return (await client.call(dropPath(slug), dropSchema, call)).result;
}

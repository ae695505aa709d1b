import { basename, dirname, join, resolve } from "node:path";
import writeFileAtomic from "write-file-atomic";
import * as z from "zod/mini";
import { readJsonFile } from "./json-file.ts";
import { identifier, webAddress } from "./service/fields.ts";

/** Name of the file that maps a folder's pages to drops. The file contains no secrets and belongs in version control. */
export const publishedFilesName = ".dropleaf.json";

/** The drops of a folder's pages on one service. */
const publishedFiles = z.object({
  service: z.optional(webAddress),
  /** Slugs by file name. */
  pages: z.record(z.string(), identifier),
});
type PublishedFiles = z.output<typeof publishedFiles>;

/** @throws Problem if the folder's file has another format */
async function readPublishedFiles(folder: string): Promise<PublishedFiles> {
  const path = join(folder, publishedFilesName);
  const file = await readJsonFile(path, publishedFiles, "remove it to publish new drops");
  return file ?? { pages: {} };
}

/**
 * Returns the folder and name under which the drop of a file or folder is recorded: its parent folder, and its own name. The current folder
 * is recorded inside itself, as `.`.
 */
function recordOf(path: string): { readonly folder: string; readonly name: string } {
  const whole = resolve(path);
  const isCurrent = whole === resolve(".");
  return isCurrent ? { folder: whole, name: "." } : { folder: dirname(whole), name: basename(whole) };
}

/** Reads the file that records the drop of a page or folder. */
export function readNotesFor(path: string): Promise<PublishedFiles> {
  return readPublishedFiles(recordOf(path).folder);
}

/** Returns the slug of the drop that a file was published to, or undefined. */
export async function findPublishedSlug(path: string, service: string): Promise<string | undefined> {
  const file = await readNotesFor(path);
  return file.service === service ? file.pages[recordOf(path).name] : undefined;
}

/** Records the drop of a file, so that publishing the file again creates a new version. Replaces records for another service. */
export async function notePublishedSlug(path: string, service: string, slug: string): Promise<void> {
  const { folder, name } = recordOf(path);
  const before = await readPublishedFiles(folder);
  const pages = before.service === service ? before.pages : {};
  if (pages[name] === slug) return;
  await writePublishedFiles(folder, { service, pages: { ...pages, [name]: slug } });
}

/** Removes the record of a file's drop, so that publishing the file again creates a new drop. */
export async function forgetPublishedSlug(path: string): Promise<void> {
  const { folder, name } = recordOf(path);
  const { service, pages } = await readPublishedFiles(folder);
  const { [name]: slug, ...others } = pages;
  if (slug === undefined) return;
  await writePublishedFiles(folder, { service, pages: others });
}

function writePublishedFiles(folder: string, file: PublishedFiles): Promise<void> {
  return writeFileAtomic(join(folder, publishedFilesName), `${JSON.stringify(file, undefined, 2)}\n`);
}

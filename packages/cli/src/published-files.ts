import { basename, dirname, join, resolve } from "node:path";
import writeFileAtomic from "write-file-atomic";
import * as z from "zod/mini";
import { readJsonFile } from "./json-file.ts";
import { identifier, webAddress } from "./service/fields.ts";

/** Name of the file in a folder that maps its pages to drops. It has no secrets, and belongs in version control. */
export const publishedFilesName = ".dropleaf.json";

/** Drops of a folder's pages, on one service. */
const publishedFiles = z.object({
  service: z.optional(webAddress),
  /** Slugs by file name. */
  pages: z.record(z.string(), identifier),
});
export type PublishedFiles = z.output<typeof publishedFiles>;

/** @throws Problem when the folder's file has another format */
async function readPublishedFiles(folder: string): Promise<PublishedFiles> {
  const path = join(folder, publishedFilesName);
  const file = await readJsonFile(path, publishedFiles, "remove it to publish new drops");
  return file ?? { pages: {} };
}

/** Path of the notes about a file or folder: beside it, or inside for the current folder. */
function placeOf(path: string): { readonly folder: string; readonly name: string } {
  const whole = resolve(path);
  return whole === resolve(".")
    ? { folder: whole, name: "." }
    : { folder: dirname(whole), name: basename(whole) };
}

/** The notes with the drop of a file or folder, if it was published. */
export function readNotesFor(path: string): Promise<PublishedFiles> {
  return readPublishedFiles(placeOf(path).folder);
}

/** Slug of the drop to which a file was published. */
export async function findPublishedSlug(path: string, service: string): Promise<string | undefined> {
  const file = await readNotesFor(path);
  return file.service === service ? file.pages[placeOf(path).name] : undefined;
}

/** Records the drop of a file, so that publishing it again makes a new version. Slugs of another service are replaced. */
export async function notePublishedSlug(path: string, service: string, slug: string): Promise<void> {
  const { folder, name } = placeOf(path);
  const before = await readPublishedFiles(folder);
  const pages = before.service === service ? before.pages : {};
  if (pages[name] === slug) return;
  await writePublishedFiles(folder, { service, pages: { ...pages, [name]: slug } });
}

/** Removes the record of a file's drop, so that publishing it again makes a new drop. */
export async function forgetPublishedSlug(path: string): Promise<void> {
  const { folder, name } = placeOf(path);
  const { service, pages } = await readPublishedFiles(folder);
  const { [name]: slug, ...others } = pages;
  if (slug === undefined) return;
  await writePublishedFiles(folder, { service, pages: others });
}

function writePublishedFiles(folder: string, file: PublishedFiles): Promise<void> {
  return writeFileAtomic(join(folder, publishedFilesName), `${JSON.stringify(file, undefined, 2)}\n`);
}

import { basename, dirname, join, resolve } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { readJsonFile } from "./json-file.ts";

/** Name of the file in a folder that says which drops its pages are. It has no secrets, and belongs into version control. */
export const publishedFilesName = ".dropleaf.json";

/** Drops of a folder's pages, on one service. */
export interface PublishedFiles {
  readonly service?: string;
  /** Slugs by file name. */
  readonly pages: Readonly<Record<string, string>>;
}

/** @throws Problem when the folder's file is not what this program writes */
export async function readPublishedFiles(folder: string): Promise<PublishedFiles> {
  const path = join(folder, publishedFilesName);
  const file = await readJsonFile<PublishedFiles>(path, "pages", "remove it to publish new drops");
  return file ?? { pages: {} };
}

/** Slug of the drop that a file was published as. */
export async function findPublishedSlug(path: string, service: string): Promise<string | undefined> {
  const file = await readPublishedFiles(dirname(resolve(path)));
  return file.service === service ? file.pages[basename(path)] : undefined;
}

/** Notes the drop of a file, so that publishing it again makes a new version. Slugs of another service are replaced. */
export async function notePublishedSlug(path: string, service: string, slug: string): Promise<void> {
  const folder = dirname(resolve(path));
  const before = await readPublishedFiles(folder);
  const pages = before.service === service ? before.pages : {};
  if (pages[basename(path)] === slug) return;
  await writePublishedFiles(folder, { service, pages: { ...pages, [basename(path)]: slug } });
}

/** Forgets the drop of a file, so that publishing it again makes a new drop. */
export async function forgetPublishedSlug(path: string): Promise<void> {
  const folder = dirname(resolve(path));
  const { service, pages } = await readPublishedFiles(folder);
  const { [basename(path)]: slug, ...others } = pages;
  if (slug === undefined) return;
  await writePublishedFiles(folder, { ...(service === undefined ? {} : { service }), pages: others });
}

function writePublishedFiles(folder: string, file: PublishedFiles): Promise<void> {
  return writeFileAtomic(join(folder, publishedFilesName), `${JSON.stringify(file, undefined, 2)}\n`);
}

import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { parseJsonFile } from "../json-file.ts";
import { exitCodes, Problem } from "../problem.ts";
import { RootedFolder } from "../rooted-folder.ts";
import { count, identifier, webAddress } from "../service/fields.ts";
import { type Addresses, addressesSchema } from "./addresses.ts";
import { listedDrop, listedFile, listedVersion } from "./listed.ts";

/** Path of a saved part of a version, such as its page or context, relative to the drop's folder. */
const partPath = z
  .string()
  .check(z.regex(/^versions\/\d{1,16}\.(html|md|zip|context\.txt)$/, "is not a path in an export"));

/** A version in an export, with the paths of its saved parts. */
const archivedVersion = z.object({
  ...z.pick(listedVersion, { version: true, created_at: true, original_date: true, note: true }).shape,
  page: partPath,
  source: z.optional(partPath),
  /** Zip archive of a folder's files. @default - the version is a single page */
  folder: z.optional(partPath),
  context: z.optional(partPath),
});
export type ArchivedVersion = z.output<typeof archivedVersion>;

/** A drop in an export: `drops/<slug>/drop.json`. */
const archivedDrop = z.object({
  ...listedDrop.shape,
  /** Versions, oldest first. */
  versions: z.array(archivedVersion),
  /** Number of readers' comments, which are in `feedback.json`. */
  comments: count,
  /** Number of readers' answers to forms, which are in `answers.json`. @default - none */
  answerCount: z.optional(count),
});
export type ArchivedDrop = z.output<typeof archivedDrop>;

/** A file in an export, with the path of its bytes. */
const archivedFile = z.object({
  ...listedFile.shape,
  path: z.string().check(z.regex(/^files\/[A-Za-z0-9]{7}-[^/\\]+$/, "is not a path in an export")),
});
export type ArchivedFile = z.output<typeof archivedFile>;

/** Contents of an export: `export.json`, which is written after all other files. */
const archiveSchema = z.object({
  format: z.number(),
  service: webAddress,
  user_id: z.string(),
  /** Slugs of the drops, oldest first. */
  drops: z.array(identifier),
  files: z.array(archivedFile),
  /** Messages about content that could not be read. */
  left_out: z.array(z.string()),
});
export type Archive = z.output<typeof archiveSchema>;

/** Name of the file that lists the contents of an export. */
export const archiveName = "export.json";

/** Names of files and folders at the top level of an export. */
const rootPattern = /^(drops|files)$|^(export\.json|index\.html|addresses-[\w.-]+\.json)(\.\d+)?$/;

/** Folder of an export. Every file in the folder is written atomically. */
export class ArchiveFolder {
  readonly path: string;
  /** Number of files that were written. */
  writtenCount = 0;
  readonly #files: RootedFolder;

  constructor(path: string) {
    this.path = path;
    this.#files = new RootedFolder(path);
  }

  /** Returns true if a file exists and, if a size is given, has that size. Content is not compared, because it never changes. */
  has(path: string, sizeBytes?: number): Promise<boolean> {
    return this.#files.has(path, sizeBytes);
  }

  /** Writes a file, unless it already has these bytes. */
  async write(path: string, content: string | Uint8Array): Promise<void> {
    if (await this.#files.write(path, content)) this.writtenCount++;
  }

  writeJson(path: string, value: object): Promise<void> {
    return this.write(path, `${JSON.stringify(value, undefined, 2)}\n`);
  }

  /**
   * Reads a file that the export lists.
   *
   * @throws Problem if the file is missing, or the path leads outside of the folder
   */
  async read(path: string): Promise<Buffer> {
    const bytes = await this.#files.read(path);
    if (bytes !== undefined) return bytes;
    throw new Problem(
      `${join(this.path, path)} is missing. To export again, run: dropleaf export ${this.path}`,
    );
  }

  readDrop = async (slug: string): Promise<ArchivedDrop> => {
    const path = `drops/${slug}/drop.json`;
    return parseJsonFile(await this.read(path), join(this.path, path), archivedDrop, "export again");
  };

  /** @throws Problem if the folder has no export in a known format */
  async readArchive(): Promise<Archive> {
    const archive = await this.#readIfPresent(archiveName, archiveSchema, "export again");
    if (archive === undefined)
      throw new Problem(
        `${this.path} has no ${archiveName}. Use the folder of a complete export, or run: dropleaf export ${this.path}`,
        exitCodes.usage,
      );
    if (archive.format !== 1)
      throw new Problem(
        `${join(this.path, archiveName)} was written by a newer version of dropleaf. Update dropleaf first.`,
      );
    return archive;
  }

  readAddresses(name: string): Promise<Addresses | undefined> {
    return this.#readIfPresent(name, addressesSchema, "remove it");
  }

  async #readIfPresent<Schema extends z.ZodMiniType>(
    name: string,
    schema: Schema,
    otherwise: string,
  ): Promise<z.output<Schema> | undefined> {
    const bytes = await this.#files.read(name);
    return bytes === undefined ? undefined : parseJsonFile(bytes, join(this.path, name), schema, otherwise);
  }

  /**
   * Prepares the folder: removes incomplete files of an interrupted run.
   * @throws Problem if the folder contains other files, or the export of another service
   */
  async prepare(service: string): Promise<void> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    const foreign = (await readdir(this.path)).find((name) => !rootPattern.test(name));
    if (foreign !== undefined)
      throw new Problem(
        `${this.path} contains other files, such as ${foreign}. Use a new folder.`,
        exitCodes.usage,
      );
    // write-file-atomic writes to a temporary name with a number at the end, and renames the file when it is complete.
    for (const name of await readdir(this.path, { recursive: true }))
      if (/\.(html|md|txt|json|zip)\.\d+$/.test(name) || /^files[/\\].*\.\d{6,}$/.test(name))
        await this.#files.remove(name.replaceAll("\\", "/"));
    const before = await this.#readIfPresent(archiveName, archiveSchema, "use a new folder");
    if (before !== undefined && before.service !== service)
      throw new Problem(
        `${this.path} already contains an export of ${before.service}. Use another folder for ${service}.`,
        exitCodes.usage,
      );
  }
}

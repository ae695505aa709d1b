import { existsSync } from "node:fs";
import { mkdir, readdir, realpath, rm, stat } from "node:fs/promises";
import { dirname, join, normalize, relative } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { readIfPresent, readJsonFile } from "../json-file.ts";
import { exitCodes, Problem } from "../problem.ts";
import type { ListedDrop, ListedFile, ListedVersion } from "./source-account.ts";

/** A version in an export, with the paths of its parts below the drop's folder. */
export interface ArchivedVersion
  extends Pick<ListedVersion, "version" | "created_at" | "original_date" | "note"> {
  readonly page: string;
  readonly source?: string;
  /** Zip archive of all files. @default - it is one page */
  readonly folder?: string;
  readonly context?: string;
}

/** A drop in an export: `drops/<slug>/drop.json`. */
export interface ArchivedDrop extends ListedDrop {
  /** The oldest first. */
  readonly versions: readonly ArchivedVersion[];
  /** Comments of readers; they lie in `feedback.json`. */
  readonly comments: number;
}

/** A file in an export, with the path of its bytes. */
export interface ArchivedFile extends ListedFile {
  readonly path: string;
}

/** Contents of an export: `export.json`, which is written last. */
export interface Archive {
  readonly format: 1;
  readonly service: string;
  readonly user_id: string;
  /** Slugs, the oldest drop first. */
  readonly drops: readonly string[];
  readonly files: readonly ArchivedFile[];
  /** Sentences about what could not be read. */
  readonly left_out: readonly string[];
}

/** Identifier of a drop or file. An identifier from elsewhere becomes part of a path, so that everything else is refused. */
export const identifierPattern = /^[A-Za-z0-9]{7}$/;

const archiveName = "export.json";

/** Names in the folder itself. */
const rootPattern = /^(drops|files)$|^(export\.json|index\.html|addresses-[\w.-]+\.json)(\.\d+)?$/;

/** Paths of an export's parts. */
const pathPattern =
  /^(drops\/[A-Za-z0-9]{7}\/(drop\.json|versions\/\d+\.(html|md|zip|context\.txt))|files\/[A-Za-z0-9]{7}-[^/\\]+)$/;

/** Folder of an export. Every file in it is written whole or not at all. */
export class ArchiveFolder {
  readonly path: string;
  /** Count of the files that were written. */
  writtenCount = 0;

  constructor(path: string) {
    this.path = path;
  }

  /** Finds a file that is there, of the size if it is known. Pages, contexts and files never change. */
  async has(path: string, sizeBytes?: number): Promise<boolean> {
    const facts = await stat(join(this.path, path)).catch(() => undefined);
    return facts !== undefined && facts.size === (sizeBytes ?? facts.size);
  }

  /** Writes a file unless it has these bytes. */
  async write(path: string, content: string | Uint8Array): Promise<void> {
    const bytes = Buffer.from(content as Uint8Array);
    const whole = join(this.path, path);
    const before = await readIfPresent(whole);
    if (before?.equals(bytes)) return;
    await mkdir(dirname(whole), { recursive: true, mode: 0o700 });
    await writeFileAtomic(whole, bytes, { mode: 0o600 });
    this.writtenCount++;
  }

  writeJson(path: string, value: object): Promise<void> {
    return this.write(path, `${JSON.stringify(value, undefined, 2)}\n`);
  }

  /**
   * Bytes of a file that the export names.
   *
   * @throws Problem if the name leads elsewhere: an export that came from somebody else must not publish files of this machine
   */
  async read(path: string): Promise<Buffer> {
    const whole = join(this.path, path);
    const isInside =
      pathPattern.test(path) &&
      relative(await realpath(this.path), await realpath(whole).catch(() => whole)) === normalize(path);
    if (!isInside && existsSync(whole))
      throw new Problem(`${JSON.stringify(path)} is no path of an export. Do not import ${this.path}.`);
    const bytes = isInside ? await readIfPresent(whole) : undefined;
    if (bytes !== undefined) return bytes;
    throw new Problem(`${whole} is missing. Export again: dropleaf export ${this.path}`);
  }

  readDrop = async (slug: string): Promise<ArchivedDrop> =>
    JSON.parse((await this.read(`drops/${slug}/drop.json`)).toString());

  /** @throws Problem if the folder has no export that this program reads */
  async readArchive(): Promise<Archive> {
    const path = join(this.path, archiveName);
    const archive = await readJsonFile<Archive>(path, "drops", "export again");
    if (archive === undefined)
      throw new Problem(
        `${this.path} has no ${archiveName}: name the folder of an export, or finish it with dropleaf export ${this.path}`,
        exitCodes.usage,
      );
    if (archive.format !== 1) throw new Problem(`${path} is of a newer dropleaf. Update this one first.`);
    return archive;
  }

  writeArchive(archive: Archive): Promise<void> {
    return this.writeJson(archiveName, archive);
  }

  /**
   * Prepares the folder: removes what a run that was killed has begun to write.
   *
   * @throws Problem if the folder has something else in it
   */
  async prepare(service: string): Promise<void> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    const foreign = (await readdir(this.path)).find((name) => !rootPattern.test(name));
    if (foreign !== undefined)
      throw new Problem(
        `${this.path} has other things in it, such as ${foreign}. Name a new folder.`,
        exitCodes.usage,
      );
    // write-file-atomic adds a number to the name until the file is whole.
    for (const name of await readdir(this.path, { recursive: true }))
      if (/\.(html|md|txt|json|zip)\.\d+$/.test(name) || /^files[/\\].*\.\d{6,}$/.test(name))
        await rm(join(this.path, name));
    const before = await readJsonFile<Archive>(join(this.path, archiveName), "drops", "name a new folder");
    if (before !== undefined && before.service !== service)
      throw new Problem(
        `${this.path} has an export of ${before.service}. Name another folder for ${service}.`,
        exitCodes.usage,
      );
  }
}

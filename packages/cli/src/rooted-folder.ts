import { lstat, mkdir, realpath, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { readIfPresent } from "./json-file.ts";
import { Problem } from "./problem.ts";

/** Names that Windows reserves for devices, with any extension. */
const deviceName = /^(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(\.|$)/i;

/** Characters that are invisible, or that some operating systems do not allow in file names. */
const foreignCharacter = /[<>:"|?*\\\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Maximum length of a file name in bytes that every file system supports. */
export const nameBytesMax = 255;

/** A folder whose paths cannot lead outside of it. Paths may come from a service, or from an untrusted export. */
export class RootedFolder {
  readonly path: string;
  /** Paths that this run has used, by their spelling on file systems that ignore case and Unicode normalization. */
  readonly #spellings = new Map<string, string>();

  constructor(path: string) {
    this.path = path;
  }

  /** Returns true if a file exists and, if a size is given, has that size. */
  async has(path: string, sizeBytes?: number): Promise<boolean> {
    const facts = await stat(await this.#resolve(path)).catch(() => undefined);
    return facts?.isFile() === true && facts.size === (sizeBytes ?? facts.size);
  }

  /** Reads a file. Returns undefined if the file does not exist. */
  async read(path: string): Promise<Buffer | undefined> {
    return readIfPresent(await this.#resolve(path));
  }

  /** Writes a file atomically, unless it already has these bytes. Returns true if it was written. */
  async write(path: string, content: string | Uint8Array): Promise<boolean> {
    const whole = await this.#resolve(path);
    const bytes = Buffer.from(content as Uint8Array);
    if ((await readIfPresent(whole))?.equals(bytes)) return false;
    await mkdir(dirname(whole), { recursive: true, mode: 0o700 });
    await writeFileAtomic(whole, bytes, { mode: 0o600 });
    return true;
  }

  async remove(path: string): Promise<void> {
    await rm(await this.#resolve(path));
  }

  /** @throws Problem if the path could lead outside of the folder on some system, or passes through a link */
  async #resolve(path: string): Promise<string> {
    if (!isPortable(path) || !this.#isFirstSpelling(path) || !(await this.#isWithoutLinks(path)))
      throw new Problem(`${JSON.stringify(path)} is not a valid path in ${this.path}. It was not used.`);
    return join(this.path, path);
  }

  /** Returns true for the first spelling of a path. On some file systems, another spelling would overwrite the same file. */
  #isFirstSpelling(path: string): boolean {
    const spelling = path.normalize("NFC").toLowerCase().toUpperCase();
    const first = this.#spellings.get(spelling);
    this.#spellings.set(spelling, first ?? path);
    return first === undefined || first === path;
  }

  /** Compares the existing part of the path with its real path. The real path follows links and has the spelling on the disk. */
  async #isWithoutLinks(path: string): Promise<boolean> {
    const root = await realpath(this.path).catch(() => undefined);
    if (root === undefined) return true;
    for (const below of ancestorsOf(path)) {
      const facts = await lstat(join(this.path, below)).catch(() => undefined);
      if (facts === undefined) continue;
      const place = await realpath(join(this.path, below)).catch(() => undefined);
      return place?.normalize("NFC") === join(root, below).normalize("NFC");
    }
    return true;
  }
}

/** Returns true for a relative path with slashes whose names are valid and unchanged on every system. */
function isPortable(path: string): boolean {
  return path.split("/").every(
    (name) =>
      // Windows removes dots and spaces at the end of a name, so ".", ".." and similar names lead elsewhere.
      /[^. ]$/.test(name) &&
      !foreignCharacter.test(name) &&
      !deviceName.test(name) &&
      Buffer.byteLength(name) <= nameBytesMax,
  );
}

/** Returns the path itself and its parent folders, deepest first. */
function ancestorsOf(path: string): string[] {
  const names = path.split("/");
  return names.map((_, index) => names.slice(0, names.length - index).join("/"));
}

import { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";

/** Longest part of a path that a message repeats. */
const shownCharactersMax = 100;

/** A refusal of one file of a folder. Its details name the path. */
export function refuseFile(path: string, problem: string, details: object = {}): ApiError {
  const shown = path.toWellFormed().slice(0, shownCharactersMax);
  return new ApiError("invalid_arg", {
    message: `${JSON.stringify(shown)} ${problem} Nothing was published.`,
    details: { path: shown, ...details },
  });
}

/** Folders and files of version control, macOS and Windows. */
const ignored = [
  /^__MACOSX\//,
  /(?:^|\/)\.(?:AppleDouble|git|hg|svn)(?:\/|$)/,
  /(?:^|\/)(?:\._[^/]*|\.DS_Store|Icon\r)$/,
  /(?:^|\/)(?:desktop\.ini|thumbs\.db)$/i,
];

/** Recognizes files that systems and tools leave in folders and that no web host serves. Such files are skipped. */
export function isIgnoredPath(path: string): boolean {
  return ignored.some((pattern) => pattern.test(path));
}

/** The path with slashes. Some programs on Windows write backslashes. */
export function withSlashes(path: string): string {
  return path.replaceAll("\\", "/");
}

/** The rules for paths, each with its correction. The message names the first broken rule. */
const pathRules: readonly (readonly [RegExp, string])[] = [
  [/^$/, "is no path: give the file a name, such as assets/app.js."],
  [/[\p{Cc}\u2028\u2029]/u, "has a control character or line break in its path: rename the file."],
  [/\\/, "has a backslash in its path: separate folders with /."],
  [/^[a-z]:/i, "begins with a drive letter: send the path from the folder's top, such as assets/app.js."],
  [/^\//, "is an absolute path: send the path from the folder's top, such as assets/app.js."],
  [/(?:^|\/)\.\.?(?:\/|$)/, "has . or .. in its path: send the path from the folder's top."],
  [/\/\/|\/$/, "has a folder or file without a name in its path: write one / between names."],
  [
    /%(?:25)*(?:2e|2f|5c|00)/i,
    "has an encoded dot, slash, backslash or zero in its path: write the characters, not %2e, %2f, %5c or %00.",
  ],
];

/**
 * Refuses a path that is not the path of a file within the folder.
 *
 * @throws ApiError `invalid_arg` with `details.path`
 */
export function refuseUnsafePath(path: string): void {
  if (!path.isWellFormed()) throw refuseFile(path, "is not well-formed Unicode: rename the file.");
  const [, problem] = pathRules.find(([pattern]) => pattern.test(path)) ?? [];
  if (problem !== undefined) throw refuseFile(path, problem);
}

/** First segments that are reserved for versions and permissions in a folder's addresses: docs/adr/0103-folders.md. */
const reservedStart = /^@(?:\d+(?:-framed)?(?:\/|$)|k)/;

/**
 * Checks the paths of a folder and returns them in NFC, in the same order.
 *
 * @throws ApiError `invalid_arg`; `details.path` if a single path is invalid
 */
export function checkPaths(sent: readonly string[]): readonly string[] {
  const { folderFilesMax, folderPathCharactersMax } = limits;
  if (sent.length > folderFilesMax) {
    throw new ApiError("invalid_arg", {
      message: `The folder has ${sent.length} files; at most ${folderFilesMax} are allowed. Nothing was published.`,
      details: { files: sent.length, files_max: folderFilesMax },
    });
  }
  const paths = sent.map((path) => path.normalize("NFC"));
  for (const path of paths) {
    refuseUnsafePath(path);
    const characters = [...path].length;
    if (characters > folderPathCharactersMax) {
      throw refuseFile(
        path,
        `has a path of ${characters} characters; at most ${folderPathCharactersMax} are allowed.`,
        { characters, characters_max: folderPathCharactersMax },
      );
    }
    if (reservedStart.test(path)) {
      throw refuseFile(
        path,
        "begins with a name that addresses of versions use (@ and a number, or @k): rename it.",
      );
    }
  }
  refuseConflicts(sent);
  return paths;
}

/** Paths are compared without case: on many systems, paths that differ only in case name the same file. */
function fold(path: string): string {
  return path.normalize("NFC").toLowerCase().toUpperCase().normalize("NFC");
}

function refuseConflicts(paths: readonly string[]): void {
  const files = new Map<string, string>();
  for (const path of paths) {
    const folded = fold(path);
    const other = files.get(folded);
    if (other !== undefined) throw refuseTwin(path, other);
    files.set(folded, path);
  }
  for (const path of paths) {
    const folded = fold(path);
    for (let end = folded.indexOf("/"); end !== -1; end = folded.indexOf("/", end + 1)) {
      const other = files.get(folded.slice(0, end));
      if (other === undefined) continue;
      throw refuseFile(other, `is a file, and also the folder of ${JSON.stringify(path)}: rename one.`, {
        other: path,
      });
    }
  }
}

function refuseTwin(path: string, other: string): ApiError {
  if (path === other) return refuseFile(path, "was sent twice: send each file once.");
  const isOneForm = path.normalize("NFC") === other.normalize("NFC");
  const difference = isOneForm ? "Unicode form" : "upper and lower case";
  return refuseFile(path, `and ${JSON.stringify(other)} differ in ${difference} only: rename one.`, {
    other,
  });
}

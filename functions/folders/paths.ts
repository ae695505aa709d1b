import { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";

const shownCharactersMax = 100;

/** Creates the error for an invalid file of a folder. The error's details contain the path. */
export function refuseFile(path: string, problem: string, details: object = {}): ApiError {
  const shown = path.toWellFormed().slice(0, shownCharactersMax);
  return new ApiError("invalid_arg", {
    message: `${JSON.stringify(shown)} ${problem} Nothing was published.`,
    details: { path: shown, ...details },
  });
}

/** Matches files and folders that version control, macOS and Windows create. */
const ignored = [
  /^__MACOSX\//,
  /(?:^|\/)\.(?:AppleDouble|git|hg|svn)(?:\/|$)/,
  /(?:^|\/)(?:\._[^/]*|\.DS_Store|Icon\r)$/,
  /(?:^|\/)(?:desktop\.ini|thumbs\.db)$/i,
];

/** Recognizes files that operating systems and tools leave in folders, and that web hosts do not serve. Such files are skipped. */
export function isIgnoredPath(path: string): boolean {
  return ignored.some((pattern) => pattern.test(path));
}

/** Replaces backslashes, which some Windows programs write in paths, with slashes. */
export function withSlashes(path: string): string {
  return path.replaceAll("\\", "/");
}

/** Patterns of invalid paths, each with the text for the error message. The first match is used. */
const pathRules: readonly (readonly [RegExp, string])[] = [
  [/^$/, "is not a path: give the file a name, such as assets/app.js."],
  [/[\p{Cc}\u2028\u2029]/u, "has a control character or line break in its path: rename the file."],
  [/\\/, "has a backslash in its path: separate folders with /."],
  [/^[a-z]:/i, "begins with a drive letter: send the path relative to the folder, such as assets/app.js."],
  [/^\//, "is an absolute path: send the path relative to the folder, such as assets/app.js."],
  [/(?:^|\/)\.\.?(?:\/|$)/, "has . or .. in its path: send the path relative to the folder."],
  [/\/\/|\/$/, "has a folder or file without a name in its path: use one / between names."],
  [
    /%(?:25)*(?:2e|2f|5c|00)/i,
    "has an encoded dot, slash, backslash or null character in its path: use the characters, not %2e, %2f, %5c or %00.",
  ],
];

/** Refuses a path that is not valid for a file within the folder. @throws ApiError `invalid_arg` with `details.path` */
export function refuseUnsafePath(path: string): void {
  if (!path.isWellFormed()) throw refuseFile(path, "is not well-formed Unicode: rename the file.");
  const [, problem] = pathRules.find(([pattern]) => pattern.test(path)) ?? [];
  if (problem !== undefined) throw refuseFile(path, problem);
}

/** Matches first path segments that are reserved for versions and readers' keys; see docs/adr/0103-folders.md. */
const reservedStart = /^@(?:\d+(?:-framed)?(?:\/|$)|k)/;

/** Checks the paths of a folder and returns them in NFC. @throws ApiError `invalid_arg`, with `details.path` if a single path is invalid */
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
        "begins with a name that is reserved for addresses of versions (@ and a number, or @k): rename it.",
      );
    }
  }
  refuseConflicts(sent);
  return paths;
}

/** Folds the case of a path for comparison. On many systems, paths that differ only in case refer to the same file. */
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

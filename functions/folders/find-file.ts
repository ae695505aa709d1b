import { entryOf } from "./entry.ts";
import { entryPath, type Manifest, type ManifestFile } from "./folder.ts";

/** A file of a folder that was found for a requested path. */
export interface FoundFile {
  readonly path: string;
  readonly file: ManifestFile;
  readonly status: 200 | 404;
}

/** Finds the file to serve for a path: the file itself, the page if `.html` was omitted, or the page for missing paths. */
export function findFile(manifest: Manifest, path: string, isSpa: boolean): FoundFile | "folder" | undefined {
  const { files } = manifest;
  const at = (name: string, status: 200 | 404 = 200) => {
    const file = Object.hasOwn(files, name) ? files[name] : undefined;
    return file && { path: name, file, status };
  };
  const found = findNamedPath(files, path);
  if (found === "folder") return "folder";
  if (found !== undefined) return at(found.path);
  return isSpa ? at(entryOf(manifest)) : at("404.html", 404);
}

/** Finds a decoded path, or the page if `.html` was omitted. Returns "folder" for a subfolder with an index page. */
export function findNamedPath(
  files: Readonly<Record<string, unknown>>,
  path: string,
): { readonly path: string } | "folder" | undefined {
  if (Object.hasOwn(files, path)) return { path };
  if (Object.hasOwn(files, `${path}/${entryPath}`)) return "folder";
  return Object.hasOwn(files, `${path}.html`) ? { path: `${path}.html` } : undefined;
}

/** Decodes a requested path to NFC, or undefined if it cannot be decoded. A folder's path becomes its index page's path. */
export function decodedPath(rest: string): string | undefined {
  try {
    const path = decodeURIComponent(rest).normalize("NFC");
    return path === "" || path.endsWith("/") ? path + entryPath : path;
  } catch {
    return undefined;
  }
}

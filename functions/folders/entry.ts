import { ApiError } from "../core/errors.ts";
import { entryPath, type Manifest } from "./folder.ts";

const shownCharactersMax = 100;

const listedMax = 5;

/** Lists the candidates for the entry page: all pages at the top level or, without any, each `index.html` in a subfolder. */
function candidatesOf(paths: readonly string[]): readonly string[] {
  const atTop = paths.filter((path) => /^[^/]+\.html?$/i.test(path) && path !== "404.html");
  return atTop.length > 0 ? atTop : paths.filter((path) => path.endsWith(`/${entryPath}`));
}

/** Finds the entry page: `index.html` at the top level, or else the only candidate. */
function findEntry(paths: readonly string[]): string | undefined {
  if (paths.includes(entryPath)) return entryPath;
  const [only, ...others] = candidatesOf(paths);
  return others.length === 0 ? only : undefined;
}

/** Returns the path of a stored folder's entry page. */
export function entryOf({ files }: Manifest): string {
  return Object.hasOwn(files, entryPath) ? entryPath : (findEntry(Object.keys(files)) ?? entryPath);
}

/** Finds the entry page of a folder. @throws ApiError `invalid_arg` with the candidates */
export function requireEntry(paths: readonly string[]): string {
  const entry = findEntry(paths);
  if (entry !== undefined) return entry;
  const candidates = candidatesOf(paths);
  const listed = (candidates.length > 0 ? candidates : paths)
    .toSorted((one, other) => depthOf(one) - depthOf(other))
    .slice(0, listedMax);
  const count = candidates.length || paths.length;
  const names = describePaths(listed, count);
  const came = paths.length === 0 ? "The folder is empty" : `It has ${names}`;
  const advice =
    candidates.length === 0
      ? `Rename the page that readers open first to ${entryPath}.`
      : `Rename the page that readers open first to ${entryPath} at the top, or send only its folder.`;
  throw new ApiError("invalid_arg", {
    message: `The folder has no ${entryPath} at its top. ${came}. ${advice} Nothing was published.`,
    details: { path: entryPath, files: paths.length, paths: listed },
  });
}

/** Warns if the entry page is not `index.html`. */
export function entryWarnings(entry: string): readonly string[] {
  if (entry === entryPath) return [];
  return [
    `The folder has no ${entryPath} at its top, so readers first see ${JSON.stringify(entry.slice(0, shownCharactersMax))}. To change that, rename another page to ${entryPath}.`,
  ];
}

function depthOf(path: string): number {
  return path.split("/").length;
}

function describePaths(listed: readonly string[], count: number): string {
  const more = count - listed.length;
  const names = listed.map((path) => JSON.stringify(path.slice(0, shownCharactersMax))).join(", ");
  return more === 0 ? names : `${names} and ${more} more`;
}

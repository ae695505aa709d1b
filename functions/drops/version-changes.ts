import { isUtf8 } from "node:buffer";
import { type StructuredPatch, structuredPatch } from "diff";
import { contentTypeOf, isHtml } from "../folders/content-type.ts";
import { entryOf } from "../folders/entry.ts";
import type { ManifestFile } from "../folders/folder.ts";
import { decodePage } from "../folders/page-charset.ts";
import type { Version } from "./drop.ts";
import { pages } from "./page-objects.ts";

/** A file that differs between two versions. */
export interface FileChange {
  readonly path: string;
  /** @default - the file was added */
  readonly before?: ManifestFile | undefined;
  /** @default - the file was removed */
  readonly after?: ManifestFile | undefined;
}

const comparedBytesMax = 1_048_576;

/** Lists the files that differ between two versions, except the entry page, sorted by path. A single page has no other files. */
export async function compareFolders(from: Version, to: Version): Promise<FileChange[]> {
  const [before, after] = await Promise.all([othersOf(from), othersOf(to)]);
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths
    .map((path) => ({ path, before: before.get(path), after: after.get(path) }))
    .filter((change) => change.before?.sha256 !== change.after?.sha256);
}

async function othersOf({ pageKey, folder }: Version): Promise<ReadonlyMap<string, ManifestFile>> {
  const manifest = (folder && (await pages.getManifest(pageKey))) ?? { files: {} };
  const entry = entryOf(manifest);
  return new Map(Object.entries(manifest.files).filter(([path]) => path !== entry));
}

/** Reads a changed file's text before and after, empty for a missing file. Returns undefined for a binary or large file. */
export async function readChangedTexts({
  path,
  ...change
}: FileChange): Promise<readonly [before: string, after: string] | undefined> {
  const sides = [change.before, change.after];
  if (sides.some((file) => (file?.sizeBytes ?? 0) > comparedBytesMax)) return undefined;
  const [one, other] = await Promise.all(
    sides.map((file) => (file === undefined ? Buffer.alloc(0) : pages.getPart(file))),
  );
  const [before, after] = [one, other].map((bytes) => bytes && textOf(path, bytes));
  return before === undefined || after === undefined ? undefined : [before, after];
}

/** Decodes a file as text. Returns undefined for binary data. HTML pages may declare a charset, and other texts must be UTF-8. */
function textOf(path: string, bytes: Buffer): string | undefined {
  const text = isHtml(contentTypeOf(path)) ? decodePage(bytes) : isUtf8(bytes) ? bytes.toString() : "\0";
  return text.includes("\0") ? undefined : text;
}

/** Time limit of a comparison, in milliseconds. Comparing rewritten pages line by line could take minutes. */
const compareMsMax = 3_000;

/** Reads a text of a version, empty if the version has none. Returns undefined if the version was deleted in the meantime. */
export const versionTexts = {
  html: async ({ pageKey }: Version) => (await pages.get(pageKey))?.bytes.toString(),
  source: async ({ pageKey, source }: Version) =>
    source === undefined ? "" : (await pages.getSource(pageKey))?.toString(),
  context: async ({ pageKey, hasContext }: Version) =>
    hasContext ? (await pages.getContext(pageKey))?.toString() : "",
};

interface ComparedTexts {
  readonly before: string;
  readonly after: string;
  /** Names in the diff's header. @default - empty */
  readonly names?: readonly [before: string, after: string];
  readonly contextLines: number;
}

/** Compares two texts line by line. Returns undefined if the comparison exceeds the time limit. */
export function compareTexts({
  before,
  after,
  names: [from, to] = ["", ""],
  contextLines,
}: ComparedTexts): StructuredPatch | undefined {
  const options = { timeout: compareMsMax, context: contextLines };
  return structuredPatch(from, to, before, after, undefined, undefined, options);
}

/** Finds the version before the given version in a list of all versions, latest first. Returns undefined for the first version. */
export function findVersionBefore(versions: readonly Version[], { version }: Version): Version | undefined {
  return versions.find((one) => one.version < version);
}

import { type StructuredPatch, structuredPatch } from "diff";
import type { Version } from "./drop.ts";
import { pages } from "./page-objects.ts";

/** Time limit of a comparison, in milliseconds. Comparing rewritten pages line by line could take minutes. */
const compareMsMax = 3_000;

/**
 * Reads a text of a version, such as its source or context. Returns undefined if the version was deleted in the meantime. A missing text is
 * read as an empty text.
 */
export const versionTexts = {
  html: async ({ pageKey }: Version) => (await pages.get(pageKey))?.bytes.toString(),
  source: async ({ pageKey, source }: Version) =>
    source === undefined ? "" : (await pages.getSource(pageKey))?.toString(),
  context: async ({ pageKey, hasContext }: Version) =>
    hasContext ? (await pages.getContext(pageKey))?.toString() : "",
};

/** Two texts to compare, and their names. */
interface ComparedTexts {
  readonly before: string;
  readonly after: string;
  /** Names in the diff's header. @default - empty */
  readonly names?: readonly [before: string, after: string];
  /** Number of unchanged lines around a change. */
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

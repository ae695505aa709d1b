import { type StructuredPatch, structuredPatch } from "diff";
import type { Version } from "./drop.ts";
import { pages } from "./page-objects.ts";

/** What two texts may take to be compared, in milliseconds: pages that were made anew, line by line, would take minutes. */
const compareMsMax = 3_000;

/** The texts of a version; undefined where a deletion was faster. What a version does not have is empty. */
export const versionTexts = {
  html: async ({ pageKey }: Version) => (await pages.get(pageKey))?.bytes.toString(),
  source: async ({ pageKey, source }: Version) =>
    source === undefined ? "" : (await pages.getSource(pageKey))?.toString(),
  context: async ({ pageKey, hasContext }: Version) =>
    hasContext ? (await pages.getContext(pageKey))?.toString() : "",
};

/** Two texts, and what they are called. */
interface ComparedTexts {
  readonly before: string;
  readonly after: string;
  /** @default - they have no names */
  readonly names?: readonly [before: string, after: string];
  /** How many lines around a change are the same. */
  readonly contextLines: number;
}

/** What has changed from one text to the other, line by line; undefined where it takes too long to find out. */
export function compareTexts({
  before,
  after,
  names: [from, to] = ["", ""],
  contextLines,
}: ComparedTexts): StructuredPatch | undefined {
  const options = { timeout: compareMsMax, context: contextLines };
  return structuredPatch(from, to, before, after, undefined, undefined, options);
}

/** The version before another, of all of them, latest first; undefined for the first. */
export function findVersionBefore(versions: readonly Version[], { version }: Version): Version | undefined {
  return versions.find((one) => one.version < version);
}

import { FILE_HEADERS_ONLY, formatPatch } from "diff";
import { ApiError, inBothWords } from "../core/errors.ts";
import { text } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import type { Version } from "./drop.ts";
import { publicDrops } from "./public-drops.ts";
import {
  compareFolders,
  compareTexts,
  findVersionBefore,
  readChangedTexts,
  versionTexts,
} from "./version-changes.ts";
import { compareVersionsRoute } from "./version-rows.ts";

const contextLines = 4;

/** Maximum size of a diff in bytes. A diff of this size takes 4 MiB as base64, and a Lambda response is limited to 6 MB. */
const diffBytesMax = 3_145_728;

/** GET /api/drops/{slug}/diff: returns a unified diff of two versions: page, source, context and files. Equal versions have an empty diff. */
export const compareVersions = tokenOperation(
  compareVersionsRoute,
  async ({ caller, path, query, nowMs }) => {
    const [drop, versions] = await Promise.all([
      publicDrops.requireDrop(caller.userId, path.slug, nowMs),
      publicDrops.listVersions(path.slug),
    ]);
    const to = requireVersion(versions, query.to ?? drop.latest.version);
    const from =
      query.from === undefined ? versionBefore(versions, to) : requireVersion(versions, query.from);
    const parts = [];
    for (const part of ["html", "source", "context"] as const) {
      const [before, after] = await Promise.all([versionTexts[part](from), versionTexts[part](to)]);
      if (before !== after) parts.push(unifiedDiff({ part, from, to, before, after }));
    }
    parts.push(...(await diffFiles(from, to)));
    const bytes = Buffer.from(parts.join(""));
    if (bytes.byteLength > diffBytesMax) throw tooDifferent(from, to);
    return text(bytes);
  },
);

/** Finds the version before the given version. The given versions must be sorted latest first. */
function versionBefore(versions: readonly Version[], version: Version): Version {
  const before = findVersionBefore(versions, version);
  if (before !== undefined) return before;
  throw new ApiError("not_found", {
    message: `There is no version before ${version.version}. Send \`from\` with the version to compare it with.`,
  });
}

function requireVersion(versions: readonly Version[], number: number): Version {
  const found = versions.find(({ version }) => version === number);
  if (found !== undefined) return found;
  const numbers = versions.map(({ version }) => version).join(", ");
  throw new ApiError("not_found", { message: `The drop has no version ${number}. It has ${numbers}.` });
}

interface Compared {
  readonly part: keyof typeof versionTexts;
  readonly from: Version;
  readonly to: Version;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** @throws ApiError `not_found` if a version was deleted in the meantime, `invalid_arg` if the comparison takes too long */
function unifiedDiff({ part, from, to, before, after }: Compared): string {
  if (before === undefined || after === undefined) throw new ApiError("not_found");
  const nameOf = ({ slug, version }: Version) => `${slug}/${version}/${part}`;
  const diff = compareTexts({ before, after, names: [nameOf(from), nameOf(to)], contextLines });
  if (diff === undefined) throw tooDifferent(from, to);
  return formatPatch(diff, FILE_HEADERS_ONLY);
}

/** Time limit for comparing all files, in milliseconds. After this limit, only the names of changed files are listed. */
const filesMsMax = 5_000;

/** Compares the changed files. A binary file gets a single line, as in the output of `diff`. */
async function diffFiles(from: Version, to: Version): Promise<string[]> {
  const endMs = performance.now() + filesMsMax;
  const parts: string[] = [];
  for (const change of await compareFolders(from, to)) {
    const nameOf = ({ slug, version }: Version, file: unknown) =>
      file === undefined ? "/dev/null" : `${slug}/${version}/${change.path}`;
    const names = [nameOf(from, change.before), nameOf(to, change.after)] as const;
    const texts = performance.now() < endMs ? await readChangedTexts(change) : undefined;
    const diff = texts && compareTexts({ before: texts[0], after: texts[1], names, contextLines });
    parts.push(diff ? formatPatch(diff, FILE_HEADERS_ONLY) : `Files ${names[0]} and ${names[1]} differ\n`);
  }
  return parts;
}

function tooDifferent(from: Version, to: Version): ApiError {
  const ways = (call: (http: string, tool: string) => string) =>
    [from, to].map(({ slug, version }) =>
      call(`GET /api/drops/${slug}/html?v=${version}`, `read_drop with version ${version}`),
    );
  return new ApiError("invalid_arg", {
    message: inBothWords(
      (call) =>
        `Versions ${from.version} and ${to.version} differ too much for one response. Read each of them: ${ways(call).join(" and ")}.`,
    ),
    details: { from: from.version, to: to.version },
  });
}

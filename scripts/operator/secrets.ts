import type { Readable } from "node:stream";
import { GetObjectCommand, NoSuchKey } from "@aws-sdk/client-s3";
import pLimit from "p-limit";
import { blobsS3 } from "../../functions/blobs/objects.ts";
import { toBlob } from "../../functions/blobs/store.ts";
import { pages } from "../../functions/drops/page-objects.ts";
import { publicDrops } from "../../functions/drops/public-drops.ts";
import { isText, metadataLines, sniffedBytes } from "../../functions/secrets/secret-review.ts";
import { scanForSecrets } from "../../functions/secrets/secret-scan.ts";
import { isDropSubject, type Key, parseKey } from "../../functions/table/keys.ts";
import { type Terminal, UsageError, withInterruption } from "./command.ts";
import { defineServiceCommand } from "./service.ts";
import { findUserId, readParts, type StoredItem } from "./table-reads.ts";

/** Number of drops and files that are read concurrently. More would only fill the memory, because the scan uses one processor. */
const readAtOnce = 4;

/** Maximum CPU time for scanning one text, in milliseconds. The limit during a request is lower. */
const storedScanMsMax = 60_000;

const progressMs = 10_000;

export const secretsCommand = defineServiceCommand({
  usage: "secrets [<account>]",
  summary: "scans stored pages, contexts, Markdown, text files and their descriptions for secrets",
  details: `
Applies the rules of the setting secretScan (docs/adr/0094-secretlint.md) to whole files. Reads the newest version of every drop, and every
text file, of one account or of all accounts, even if they are restricted, locked, expired, in the trash or suspended. For each finding,
prints the owner, drop or file, version, part, rule, line and column, but never the secret. Exits with 1 if there are findings, or if a text
was not fully scanned.

If the command stops, it prints the position from which --from continues. Without <account>, it reads the whole table.`,
  options: {
    "all-versions": "scans older versions, too",
    json: "prints one JSON object per line",
    "from <position>": "continues where an earlier run for all accounts stopped",
  },
  async run({ words: [name], options, service, audit, terminal }) {
    if (name !== undefined && options.from !== undefined)
      throw new UsageError("--from continues a run for all accounts. Leave out the account, or --from.");
    const from = options.from === undefined ? undefined : parsePosition(options.from);
    const userId = await findUserId(name);
    await audit("scan-secrets", { ownerId: userId });
    const scan = createScan(terminal, options.json);
    const readOptions = { allVersions: options["all-versions"], blobsBucket: service.blobsBucket };
    const advice = "the position is printed when the current texts are scanned.";
    let isWell = true;
    await withInterruption(terminal, advice, async (signal) => {
      let position = from;
      try {
        for await (const { items, next } of readParts(userId, from)) {
          await pLimit(readAtOnce).map(items, async (item) => {
            if (signal.aborted) return;
            for await (const text of readTexts(item, readOptions)) scan.add(text);
            scan.countItem(item);
          });
          if (signal.aborted) break;
          position = next;
        }
      } finally {
        // The position is undefined after the last table item, and for a single account.
        if (position !== undefined) {
          const text = JSON.stringify([position.pk, position.sk]);
          terminal.report(`Continue with --from ${Buffer.from(text).toString("base64url")}`);
        }
      }
      if (signal.aborted) isWell = false;
    });
    scan.reportProgress();
    return isWell && scan.isClean();
  },
});

/** Creates a scan of a service's texts, which prints each finding immediately, and reports its progress from time to time. */
function createScan(terminal: Terminal, isJson: boolean) {
  const counts = { drops: 0, files: 0, texts: 0, findings: 0, incomplete: 0 };
  let reportedAtMs = Date.now();
  const reportProgress = () => {
    reportedAtMs = Date.now();
    const { drops, files, texts, findings } = counts;
    terminal.report(`Scanned: ${drops} drops, ${files} files, ${texts} texts. Findings: ${findings}.`);
  };
  return {
    reportProgress,
    isClean: () => counts.findings + counts.incomplete === 0,
    add(stored: StoredText): void {
      const { found, isComplete } = scanForSecrets(stored.text, storedScanMsMax);
      counts.texts += 1;
      counts.findings += found.length;
      for (const finding of found) terminal.print(formatFinding(stored, isJson, finding));
      if (!isComplete) {
        counts.incomplete += 1;
        terminal.print(formatFinding(stored, isJson));
      }
      if (Date.now() - reportedAtMs > progressMs) reportProgress();
    },
    countItem(item: StoredItem): void {
      const subject = parseKey(item);
      if (isDropSubject(subject)) counts.drops += 1;
      if (subject?.kind === "blob") counts.files += 1;
    },
  };
}

/** @param finding undefined if the text was not fully scanned */
function formatFinding(
  { ownerId, namespace, slug, version, blobId, part }: StoredText,
  isJson: boolean,
  finding?: { readonly rule: string; readonly line: number; readonly column: number },
): string {
  if (isJson) {
    const ids = { account_id: ownerId, owner: namespace, slug, blob_id: blobId, version, part };
    const { rule, line, column } = finding ?? {};
    return JSON.stringify({ ...ids, rule, line, column, incomplete: finding === undefined || undefined });
  }
  const what = slug === undefined ? `file ${blobId}` : `drop ${slug}`;
  const where = finding ? [finding.rule, `${finding.line}:${finding.column}`] : ["not fully scanned"];
  const columns = [namespace, what, version === undefined ? [] : `version ${version}`, part, ...where];
  return columns.flat().join("  ");
}

/** @throws UsageError for a position that was not printed by an earlier run */
function parsePosition(text: string): Key {
  try {
    const [pk, sk] = JSON.parse(Buffer.from(text, "base64url").toString());
    if (typeof pk === "string" && typeof sk === "string") return { pk, sk };
  } catch {
    // If the text is not JSON, the position is refused below.
  }
  throw new UsageError("--from is not a position. Copy it from the line that the earlier run printed.");
}

/** A stored text of a drop, a version or a file. */
interface StoredText {
  readonly ownerId: string;
  readonly namespace: string;
  readonly slug?: string;
  readonly version?: number;
  readonly blobId?: string;
  readonly part: "page" | "markdown" | "context" | "title" | "description" | "metadata" | "note" | "file";
  readonly text: string;
}

/** Yields the texts of a drop or file, given its table item. Skips texts that are deleted in the meantime. */
async function* readTexts(
  item: StoredItem,
  options: { readonly allVersions: boolean; readonly blobsBucket: string },
): AsyncGenerator<StoredText> {
  const subject = parseKey(item);
  if (subject?.kind === "blob") {
    const { id: blobId, ownerId, namespace, objectKey } = toBlob(item);
    const text = await readText(options.blobsBucket, objectKey);
    if (text !== undefined) yield { ownerId, namespace, blobId, part: "file", text };
  }
  if (!isDropSubject(subject)) return;
  const { slug, userId: ownerId } = subject;
  const drop = { ownerId, namespace: item.namespace as string, slug };
  for (const part of ["title", "description"] as const)
    if (item[part]) yield { ...drop, part, text: String(item[part]) };
  const metadata = readMetadata(String(item.metadata));
  if (metadata !== "") yield { ...drop, part: "metadata", text: metadata };
  const versions = options.allVersions
    ? await publicDrops.listVersions(slug)
    : [await publicDrops.findVersion(slug, item.latestVersion as number)];
  for (const version of versions) {
    if (version === undefined) continue;
    const { pageKey, source, hasContext, note } = version;
    const place = { ...drop, version: version.version };
    if (note) yield { ...place, part: "note", text: note };
    // If a page was rendered from Markdown, only the Markdown is read, because it contains the same secrets.
    const page = source ? await pages.getSource(pageKey) : (await pages.get(pageKey))?.bytes;
    if (page) yield { ...place, part: source ? "markdown" : "page", text: page.toString() };
    const context = hasContext ? await pages.getContext(pageKey) : undefined;
    if (context) yield { ...place, part: "context", text: context.toString() };
  }
}

/** Formats metadata as lines to scan. Metadata that cannot be parsed is returned as stored. */
function readMetadata(stored: string): string {
  try {
    return metadataLines(new Map(JSON.parse(stored)));
  } catch {
    return stored;
  }
}

/** Reads an object if its first bytes are text. Returns undefined for other objects and for missing objects. */
async function readText(Bucket: string, Key: string): Promise<string | undefined> {
  try {
    const response = await blobsS3.send(new GetObjectCommand({ Bucket, Key }));
    const chunks: Buffer[] = [];
    let bytes = 0;
    // Returning from this loop ends the download.
    for await (const chunk of response.Body as Readable) {
      const isSniffed = bytes >= sniffedBytes;
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).byteLength;
      if (!isSniffed && bytes >= sniffedBytes && !isText(Buffer.concat(chunks))) return undefined;
    }
    const all = Buffer.concat(chunks);
    return bytes >= sniffedBytes || isText(all) ? all.toString() : undefined;
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined;
    throw error;
  }
}

import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { GetObjectCommand, NoSuchKey } from "@aws-sdk/client-s3";
import { presentAccessRequest } from "../../functions/access-requests/presenter.ts";
import { accessRequests } from "../../functions/access-requests/store.ts";
import { presentToken } from "../../functions/account/presenter.ts";
import { type AccountRow, listFiles } from "../../functions/administration/accounts.ts";
import { presentAnswer } from "../../functions/answers/presenter.ts";
import { answers } from "../../functions/answers/store.ts";
import type { Blob } from "../../functions/blobs/blob.ts";
import { blobsS3 } from "../../functions/blobs/objects.ts";
import { presentBlob } from "../../functions/blobs/schemas.ts";
import type { Drop, Version } from "../../functions/drops/drop.ts";
import { pages } from "../../functions/drops/page-objects.ts";
import { presentDrop, presentVersion } from "../../functions/drops/presenter.ts";
import { publicDrops } from "../../functions/drops/public-drops.ts";
import { drops } from "../../functions/drops/store.ts";
import { presentConversation } from "../../functions/feedback/presenter.ts";
import { feedback } from "../../functions/feedback/store.ts";
import type { Site } from "../../functions/http/site.ts";
import { storedResponses } from "../../functions/table/audit-trail.ts";
import { keys } from "../../functions/table/keys.ts";
import { getItem } from "../../functions/table/table.ts";
import { tokens } from "../../functions/table/tokens.ts";
import { findAccountReads } from "./access/reads.ts";
import { defineServiceCommand, type Service } from "./service.ts";
import { findUser } from "./table-reads.ts";

export const exportCommand = defineServiceCommand({
  usage: "export <account>",
  summary: "copies everything in an account into a folder",
  details: `
Writes JSON, and the pages and files as they were uploaded, into a folder that only you can read: the account, its drops with all versions,
files, token records, the person's reads, and the responses that are kept for repeated requests. Compares every page with its digest. Does
not export the tokens themselves, passcodes and device codes.`,
  options: { "to <folder>!": "a new or empty folder" },
  async run({ word, options: { to }, service, printAll }) {
    const user = await findUser(word);
    const { dropCount, fileCount, problems } = await exportAccount(service, user, await makeCopyFolder(to));
    printAll(problems, `${user.namespace}: ${dropCount} drops and ${fileCount} files are in ${to}.`);
    return problems.length === 0;
  },
});

/** Copies everything in an account into an empty folder. Returns a message for each missing or damaged item. */
export async function exportAccount(service: Service, user: AccountRow, folder: string) {
  const { userId, namespace, item, identity } = user;
  const account = {
    user_id: userId,
    namespace,
    username: item.username,
    identity,
    last_sign_in: item.lastIdentity ?? null,
    created_at: item.createdAtMs,
  };
  const responses = (await storedResponses.list(userId)).map(({ operation, status, body, createdAtMs }) => {
    return { operation, status, response: JSON.parse(body), created_at: createdAtMs };
  });
  const reads = (await findAccountReads(user)).map(({ slug, day, reader, firstAtMs }) => {
    return { slug, day, reader, first_at: firstAtMs };
  });
  await writeJson(account, folder, "account.json");
  await writeJson((await tokens.list(userId)).map(presentToken), folder, "tokens.json");
  await writeJson(responses, folder, "kept-answers.json");
  await writeJson(reads, folder, "reads.json");
  const problems: string[] = [];
  const all = await drops.list(userId);
  for (const drop of all) problems.push(...(await copyDrop(service, drop, folder)));
  const blobs = await listFiles(userId);
  for (const blob of blobs) problems.push(...(await copyBlob(service.blobsBucket, blob, folder)));
  const files = blobs.map((blob) => ({ ...presentBlob(service, blob), file: blobFileName(blob) }));
  await writeJson(files, folder, "files.json");
  return { dropCount: all.length, fileCount: blobs.length, problems };
}

/** Name of an uploaded file in the folder of copies. Starts with the file's id, because the original name may consist of dots only. */
function blobFileName({ id, filename }: Blob): string {
  return `${id}-${filename}`;
}

/** Copies a file's bytes into `files/`. Returns a message if the bytes are missing or have another size. */
export async function copyBlob(bucket: string, blob: Blob, folder: string): Promise<string[]> {
  const path = await makeParent(folder, "files", blobFileName(blob));
  const sizeBytes = await download(bucket, blob.objectKey, path);
  if (sizeBytes === blob.sizeBytes) return [];
  if ((await getItem(keys.blob(blob.ownerId, blob.id))) === undefined) return [];
  const name = `The file ${blob.id} (${blob.filename})`;
  if (sizeBytes === undefined) return [`${name} is not in the bucket.`];
  return [`${name} has ${sizeBytes} bytes in the bucket, not ${blob.sizeBytes}.`];
}

/** Downloads an object. Returns its size, or undefined if the object is missing. */
async function download(Bucket: string, Key: string, path: string): Promise<number | undefined> {
  try {
    const response = await blobsS3.send(new GetObjectCommand({ Bucket, Key }));
    const output = createWriteStream(path, { mode: 0o600 });
    await pipeline(response.Body as Readable, output);
    return output.bytesWritten;
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined;
    throw error;
  }
}

/** Copies a drop with everything in it into `drops/<slug>/`. Returns a message for each missing or damaged part. */
export async function copyDrop(site: Site, drop: Drop, folder: string): Promise<string[]> {
  const dropFolder = join(folder, "drops", drop.slug);
  const problems: string[] = [];
  const versions: object[] = [];
  for (const version of (await publicDrops.listVersions(drop.slug)).reverse()) {
    problems.push(...(await copyVersion(version, dropFolder)));
    versions.push({ ...presentVersion(version), sha256: version.sha256, page: `${stemOf(version)}.html` });
  }
  const parts = {
    feedback: (await feedback.list(drop.slug)).map(presentConversation),
    answers: (await answers.listAll(drop.slug)).map(presentAnswer),
    "access-requests": (await accessRequests.listOf(drop, Date.now())).map(presentAccessRequest),
  };
  await writeJson({ ...presentDrop(site, drop), versions }, dropFolder, "drop.json");
  for (const [name, part] of Object.entries(parts))
    if (part.length > 0) await writeJson(part, dropFolder, `${name}.json`);
  return problems;
}

async function copyVersion(version: Version, folder: string): Promise<string[]> {
  const { slug, pageKey, hasContext, sha256 } = version;
  const [page, context, source] = await Promise.all([
    pages.get(pageKey),
    hasContext ? pages.getContext(pageKey) : undefined,
    version.source && pages.getSource(pageKey),
  ]);
  const write = async (bytes: Uint8Array | undefined, end: string) =>
    bytes && writeBytes(bytes, folder, `${stemOf(version)}.${end}`);
  await write(page?.bytes, "html");
  await write(context, "context.txt");
  await write(source, "md");
  const name = `version ${version.version} of ${slug}`;
  const isChanged = page && createHash("sha256").update(page.bytes).digest("hex") !== sha256;
  const absent = await copyFiles(version, folder);
  const problems = [
    page === undefined && `The page of ${name} is not in the bucket.`,
    isChanged && `The page of ${name} differs from the published page.`,
    hasContext && context === undefined && `The context of ${name} is not in the bucket.`,
    version.source && source === undefined && `The Markdown of ${name} is not in the bucket.`,
    ...absent.map((path) => `The file ${path} of ${name} is not in the bucket.`),
  ].filter((problem) => typeof problem === "string");
  // The version may have been deleted after the versions were listed.
  const isGone = problems.length > 0 && (await publicDrops.findVersion(slug, version.version)) === undefined;
  return isGone ? [] : problems;
}

/** Copies the files of a folder into `<version>.files/`. Returns the paths of missing files. */
async function copyFiles(version: Version, folder: string): Promise<string[]> {
  if (version.folder === undefined) return [];
  const manifest = await pages.getManifest(version.pageKey);
  if (manifest === undefined) return ["manifest"];
  const absent: string[] = [];
  for (const [path, file] of Object.entries(manifest.files)) {
    const bytes = await pages.getPart(file);
    if (bytes === undefined) absent.push(path);
    else await writeBytes(bytes, folder, `${stemOf(version)}.files`, ...path.split("/"));
  }
  return absent;
}

function stemOf({ version }: Pick<Version, "version">): string {
  return `v${String(version).padStart(6, "0")}`;
}

/** Joins names to a path. Creates the parent folders, which only the operator can read. */
async function makeParent(...names: string[]): Promise<string> {
  const path = join(...names);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  return path;
}

async function writeBytes(bytes: string | Uint8Array, ...names: string[]): Promise<void> {
  await writeFile(await makeParent(...names), bytes, { mode: 0o600 });
}

/** Writes a value as JSON into a file of the copy that only the operator can read. */
export function writeJson(value: object, ...names: string[]): Promise<void> {
  return writeBytes(`${JSON.stringify(value, null, 2)}\n`, ...names);
}

/** Creates a folder for copies, and returns its path. Throws if the folder is not empty, because two copies would be mixed up. */
export async function makeCopyFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  if ((await readdir(path)).length > 0)
    throw new Error(`The folder ${path} is not empty. Choose another folder.`);
  return path;
}

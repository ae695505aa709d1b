import pLimit from "p-limit";
import { nameBytesMax } from "../rooted-folder.ts";
import type { Archive, ArchivedDrop, ArchivedFile, ArchivedVersion, ArchiveFolder } from "./archive.ts";
import { archiveName } from "./archive.ts";
import { renderIndex } from "./index-page.ts";
import type { ListedDrop, ListedFile, ListedVersion } from "./listed.ts";
import { type SourceAccount, Unreadable } from "./source-account.ts";

/** Maximum number of concurrent reads. */
const readsMax = 4;

/**
 * Exports an account into a folder, or updates an earlier export. Reads only new pages and files, because pages and files never change.
 * Writes the index last, so that an interrupted run leaves the earlier export intact.
 */
export async function exportAccount(
  account: SourceAccount,
  folder: ArchiveFolder,
  report: (message: string) => void,
): Promise<Archive> {
  await folder.prepare(account.client.address);
  const leftOut: string[] = [];
  /** Returns the result of a read. If the content cannot be read, returns undefined and adds a sentence to `leftOut`. */
  const attempt = async <Result>(read: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      leftOut.push(error.message);
      return undefined;
    }
  };

  const listed = await account.listDrops();
  const comments = await account.readComments();
  let doneCount = 0;
  const drops = await inParallel(listed, async (drop) => {
    const versions = (await account.listVersions(drop.slug)).map((version) =>
      saveVersion(account, folder, drop, version, attempt),
    );
    const saved = (await Promise.all(versions)).filter((version) => version !== undefined);
    report(`${++doneCount} of ${listed.length} drops`);
    if (saved.length === 0) return undefined;
    const answers = await account.readAnswers(drop.slug);
    return saveDrop(folder, drop, saved, { comments: comments.get(drop.slug) ?? [], answers });
  });
  const saved = drops.filter((drop) => drop !== undefined);
  const files = account.findsFilesByLinks
    ? await saveLinkedFiles(account, folder, saved)
    : await inParallel(await account.listFiles(), (file) => saveFile(account, folder, file, attempt));
  const archive: Archive = {
    format: 1,
    service: account.client.address,
    user_id: account.userId,
    drops: saved.map(({ slug }) => slug),
    files: files.filter((file) => file !== undefined),
    left_out: leftOut.sort(),
  };
  await folder.write("index.html", renderIndex(archive, saved));
  await folder.writeJson(archiveName, archive);
  return archive;
}

type Attempt = <Result>(read: () => Promise<Result>) => Promise<Result | undefined>;

/** Saves the missing parts of a version. Returns undefined if its page cannot be read. */
async function saveVersion(
  account: SourceAccount,
  folder: ArchiveFolder,
  drop: ListedDrop,
  listed: ListedVersion,
  attempt: Attempt,
): Promise<ArchivedVersion | undefined> {
  const { version, created_at, original_date, note, has_context, has_source, size_bytes, files } = listed;
  const page = `versions/${version}.html`;
  const save = async (part: string, read: () => Promise<string | Uint8Array>, sizeBytes?: number) => {
    const path = `drops/${drop.slug}/${part}`;
    if (await folder.has(path, sizeBytes)) return true;
    const content = await attempt(read);
    if (content !== undefined) await folder.write(path, content);
    return content !== undefined;
  };
  const source = has_source ? `versions/${version}.md` : undefined;
  const context = has_context ? `versions/${version}.context.txt` : undefined;
  const zip = files === undefined ? undefined : `versions/${version}.zip`;
  if (zip !== undefined && !(await save(zip, () => account.readFolder(drop.slug, version)))) return undefined;
  if (source !== undefined) await save(source, () => account.readSource(drop.slug, version));
  const hasContext =
    context !== undefined && (await save(context, () => account.readContext(drop.slug, version)));
  if (!(await save(page, () => account.readPage(drop, listed), size_bytes))) return undefined;
  const saved = { page, source, folder: zip, context: hasContext ? context : undefined };
  return { version, created_at, original_date, note, ...saved };
}

async function saveDrop(
  folder: ArchiveFolder,
  listed: ListedDrop,
  versions: ArchivedVersion[],
  { comments, answers }: { readonly comments: readonly object[]; readonly answers: readonly object[] },
): Promise<ArchivedDrop> {
  const { slug, title, description, url, raw_url, locked, visibility, readers, indexed, feedback } = listed;
  const { answers: takesAnswers, answers_results } = listed;
  const { metadata, view_count, created_at, updated_at, expires_at } = listed;
  const drop: ArchivedDrop = {
    ...{ slug, title, url, raw_url, metadata, view_count, created_at, updated_at },
    description: description ?? undefined,
    ...{ locked, visibility, readers, indexed, feedback, answers: takesAnswers, answers_results },
    expires_at: expires_at ?? undefined,
    comments: comments.length,
    answerCount: answers.length,
    versions,
  };
  if (comments.length > 0) await folder.writeJson(`drops/${slug}/feedback.json`, comments);
  if (answers.length > 0) await folder.writeJson(`drops/${slug}/answers.json`, answers);
  await folder.writeJson(`drops/${slug}/drop.json`, drop);
  return drop;
}

/** Saves a file's bytes. The name on disk begins with the identifier, because the file's own name may consist of dots. */
async function saveFile(
  account: SourceAccount,
  folder: ArchiveFolder,
  { id, filename, content_type, size_bytes, url, created_at, visibility, readers, expires_at }: ListedFile,
  attempt: Attempt,
): Promise<ArchivedFile | undefined> {
  const file: ArchivedFile = {
    ...{ id, filename, content_type, size_bytes, url, created_at, visibility, readers, expires_at },
    path: pathOfFile(id, filename),
  };
  if (await folder.has(file.path, size_bytes)) return file;
  const bytes = await attempt(() => account.readFile(file));
  if (bytes === undefined) return undefined;
  if (bytes.length !== size_bytes)
    throw new Unreadable(`File ${id} (${filename}) has ${bytes.length} bytes, not ${size_bytes}.`);
  await folder.write(file.path, bytes);
  return file;
}

/** Saves the files that pages and the owner's page link to. Used for services that do not list files. */
async function saveLinkedFiles(
  account: SourceAccount,
  folder: ArchiveFolder,
  drops: readonly ArchivedDrop[],
): Promise<(ArchivedFile | undefined)[]> {
  const owners = new Set(drops.map(({ url }) => url.replace(/d\/[^/]*$/, "")));
  const urls = new Set<string>();
  for (const owner of owners) {
    const addLinks = (text = "") => {
      for (const { 1: id } of text.matchAll(/\/b\/([A-Za-z0-9]{7})\b/g)) urls.add(`${owner}b/${id}`);
    };
    addLinks((await account.findLinkedFile(owner))?.bytes.toString());
    for (const { slug, versions } of drops)
      for (const { page } of versions) addLinks((await folder.read(`drops/${slug}/${page}`)).toString());
  }
  return inParallel([...urls].sort(), async (url) => {
    const found = await account.findLinkedFile(url);
    if (found === undefined) return undefined;
    const { bytes, ...file } = found;
    const path = pathOfFile(file.id, file.filename);
    await folder.write(path, bytes);
    return { ...file, path };
  });
}

/** Returns the path of a file in the export. Replaces characters of the name that some operating systems do not accept. */
function pathOfFile(id: string, filename: string): string {
  const characters = [...filename.normalize("NFC").replaceAll(/[^\p{L}\p{N}. -]/gu, "_")];
  const name = () => `${id}-${characters.join("")}`;
  while (Buffer.byteLength(name()) > nameBytesMax) characters.shift();
  return `files/${name().replace(/[. ]+$/, (end) => "_".repeat(end.length))}`;
}

async function inParallel<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const limit = pLimit({ concurrency: readsMax, rejectOnClear: true });
  try {
    return await limit.map(items, run);
  } catch (error) {
    limit.clearQueue();
    throw error;
  }
}

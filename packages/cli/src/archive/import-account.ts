import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { sha256Of } from "../changed-files.ts";
import { unzipFolder, zipFolder } from "../folder.ts";
import { type Client, Refusal } from "../service/client.ts";
import { type Addresses, addressesName } from "./addresses.ts";
import type { Archive, ArchivedDrop, ArchivedFile, ArchivedVersion, ArchiveFolder } from "./archive.ts";
import { findLinkedSlugs, type LinkMap, linkPattern, type MovedDrop, rewriteLinks } from "./links.ts";
import type { ListedDrop, ListedFile } from "./listed.ts";
import { findMovedVersions, type MovedVersions, originalDateOf } from "./moved-versions.ts";
import type { SourceAccount } from "./source-account.ts";
import {
  importTag,
  isContextSent,
  isMarkdownSent,
  type MovedPage,
  type Published,
  TargetAccount,
} from "./target-account.ts";

/** A drop in the new account. */
interface ImportedDrop extends MovedDrop, Omit<MovedVersions, "numbers"> {}

/**
 * Imports an export into an account, or updates an earlier import. Drops are recognized by their tag with the old address, versions by
 * their original dates, and files by their bytes. An import can therefore be interrupted, repeated, and run twice concurrently.
 */
export async function importArchive(
  folder: ArchiveFolder,
  archive: Archive,
  client: Client,
  report: (message: string) => void,
) {
  const target = await TargetAccount.open(client, archive);
  const drops = await Promise.all(archive.drops.map(folder.readDrop));
  const run = new Import(folder, archive, drops, target, report);
  run.skipExpired(Date.now());
  try {
    await run.moveFiles();
    await run.findImported();
    await run.createDrops();
    await run.publishVersions();
  } finally {
    await run.saveAddresses();
  }
  return run.result();
}

class Import {
  readonly #folder: ArchiveFolder;
  #archive: Archive;
  #drops: readonly ArchivedDrop[];
  readonly #target: TargetAccount;
  readonly #account: SourceAccount;
  readonly #report: (message: string) => void;
  readonly #pattern: RegExp;
  /** Drops in the new account, by old slug. */
  readonly #imported = new Map<string, ImportedDrop>();
  readonly #files = new Map<string, { oldUrl: string; id: string; url: string }>();
  readonly #notes: string[] = [];
  readonly #refused: string[] = [];
  #newDropCount = 0;
  #newVersionCount = 0;
  #newFileCount = 0;

  constructor(
    folder: ArchiveFolder,
    archive: Archive,
    drops: readonly ArchivedDrop[],
    target: TargetAccount,
    report: (message: string) => void,
  ) {
    this.#folder = folder;
    this.#archive = archive;
    this.#drops = drops;
    this.#target = target;
    this.#account = target.account;
    this.#report = report;
    this.#pattern = linkPattern(this.#linkMap());
  }

  /** Skips drops and files that have expired since the export, so that the new account does not show them again. */
  skipExpired(nowMs: number): void {
    const isKept = ({ url, expires_at }: Pick<ListedDrop, "url" | "expires_at">) => {
      if (expires_at == null || expires_at > nowMs) return true;
      this.#notes.push(`${url} expired on ${new Date(expires_at).toISOString()}, and was not imported.`);
      return false;
    };
    this.#drops = this.#drops.filter(isKept);
    this.#archive = { ...this.#archive, files: this.#archive.files.filter(isKept) };
  }

  /** Uploads the missing files. A file is recognized by its name, type and bytes. */
  async moveFiles(): Promise<void> {
    const before = await this.#folder.readAddresses(this.#addressesName());
    const unclaimed = new Map((await this.#account.listFiles()).map((file) => [file.id, file]));
    for (const [index, file] of this.#archive.files.entries()) {
      this.#report(`file ${index + 1} of ${this.#archive.files.length}`);
      const known = unclaimed.get(before?.files[file.id]?.id ?? "");
      const found = known ?? (await this.#findSameFile(file, unclaimed.values()));
      const moved = found ?? (await this.#attempt(file.filename, () => this.#upload(file)));
      if (moved === undefined) continue;
      unclaimed.delete(moved.id);
      this.#files.set(file.id, { oldUrl: file.url, id: moved.id, url: moved.url });
    }
  }

  /** Finds the drops that an earlier run created. */
  async findImported(): Promise<void> {
    const present = await this.#account.listDrops();
    const byTag = new Map(present.map((drop) => [drop.metadata[importTag], drop]));
    for (const drop of this.#drops) {
      const found = byTag.get(drop.url) ?? (await this.#findUntagged(drop, present));
      if (found !== undefined) await this.#addImported(drop, found);
    }
  }

  /**
   * Creates the missing drops, each after the drops that its first version links to, because a drop gets its address when it is created. If
   * drops link to each other or to themselves, publishes a placeholder as their first version.
   */
  async createDrops(): Promise<void> {
    const waiting = new Map<string, ReadonlySet<string>>();
    for (const drop of this.#drops)
      if (!this.#imported.has(drop.slug)) waiting.set(drop.slug, await this.#linksOf(drop));
    while (waiting.size > 0) {
      const order = this.#drops.filter(({ slug }) => waiting.has(slug));
      const ready = order.find(
        ({ slug }) => ![...(waiting.get(slug) ?? [])].some((linked) => waiting.has(linked)),
      );
      const drop = ready ?? (order[0] as ArchivedDrop);
      this.#report(`drop ${this.#imported.size + 1} of ${this.#drops.length}`);
      const created = await this.#attempt(drop.slug, () => this.#create(drop, ready === undefined));
      waiting.delete(drop.slug);
      if (created === undefined) continue;
      this.#newDropCount++;
      await this.#addImported(drop, created);
    }
  }

  /** Publishes the missing versions, and deletes the placeholders. */
  async publishVersions(): Promise<void> {
    for (const drop of this.#drops) {
      const imported = this.#imported.get(drop.slug);
      if (imported === undefined) continue;
      const { pending, isContinued, placeholder, slug, url } = imported;
      if (isContinued && pending.length > 0) {
        this.#notes.push(
          `You have published to ${url} since the import, so ${pending.length} newer versions of ${drop.url} were not added.`,
        );
        continue;
      }
      const isWhole = await this.#attempt(drop.slug, async () => {
        for (const version of pending) await this.#publish(drop, slug, version);
        return true;
      });
      if (isWhole && placeholder !== undefined) await this.#target.deleteVersion(slug, placeholder);
    }
  }

  /** Writes the new addresses of all drops and files imported so far. Keeps the entries of drops and files that are no longer in the export. */
  async saveAddresses(): Promise<void> {
    const name = this.#addressesName();
    const before = await this.#folder.readAddresses(name);
    const drops = [...this.#imported].map(([old, { oldUrl, url, slug, versions }]) => [
      old,
      { old_url: oldUrl, url, slug, versions: Object.fromEntries(versions) },
    ]);
    const files = [...this.#files].map(([old, { oldUrl, url, id }]) => [old, { old_url: oldUrl, url, id }]);
    const addresses: Addresses = {
      from: this.#archive.service,
      to: this.#account.client.address,
      drops: { ...before?.drops, ...Object.fromEntries(drops) },
      files: { ...before?.files, ...Object.fromEntries(files) },
    };
    if (!isDeepStrictEqual(before, addresses)) await this.#folder.writeJson(name, addresses);
  }

  /** Result of the import. `notImported` has a message for all data that is missing in the new account, or differs there. */
  result() {
    return {
      addresses: join(this.#folder.path, this.#addressesName()),
      dropCount: this.#imported.size,
      newDropCount: this.#newDropCount,
      newVersionCount: this.#newVersionCount,
      newFileCount: this.#newFileCount,
      notImported: [...this.#archive.left_out, ...this.#notes, ...this.#describeLosses()],
      refused: this.#refused,
    };
  }

  #addressesName(): string {
    return addressesName(this.#account.client.address, this.#account.userId);
  }

  #linkMap(): LinkMap {
    return {
      oldService: this.#archive.service,
      newService: this.#account.client.address,
      oldUrls: [...this.#drops, ...this.#archive.files].map(({ url }) => url),
      drops: this.#imported,
      files: this.#files,
    };
  }

  async #upload(file: ArchivedFile): Promise<ListedFile> {
    const uploaded = await this.#target.upload(file, await this.#folder.read(file.path));
    this.#newFileCount++;
    return uploaded;
  }

  async #findSameFile(
    { filename, content_type, size_bytes, path }: ArchivedFile,
    candidates: Iterable<ListedFile>,
  ): Promise<ListedFile | undefined> {
    for (const one of candidates) {
      const isAlike =
        one.filename === filename && one.content_type === content_type && one.size_bytes === size_bytes;
      if (isAlike && (await this.#folder.read(path)).equals(await this.#account.readFile(one))) return one;
    }
    return undefined;
  }

  /** Finds an imported drop without an import tag, by its title, its tags and the date of its first version. */
  async #findUntagged(drop: ArchivedDrop, present: readonly ListedDrop[]): Promise<ListedDrop | undefined> {
    if (importTag in this.#target.metadataOf(drop)) return undefined;
    const [first] = drop.versions;
    const firstDate = first && originalDateOf(first);
    for (const one of present) {
      if (one.title !== drop.title || !isDeepStrictEqual(one.metadata, drop.metadata)) continue;
      const versions = await this.#account.listVersions(one.slug);
      if (first && versions.some(({ original_date }) => original_date === firstDate)) return one;
    }
    return undefined;
  }

  async #addImported(drop: ArchivedDrop, { slug, url }: ListedDrop): Promise<void> {
    const { numbers, ...state } = findMovedVersions(drop, await this.#account.listVersions(slug));
    this.#imported.set(drop.slug, { oldUrl: drop.url, slug, url, versions: numbers, ...state });
  }

  async #linksOf(drop: ArchivedDrop): Promise<ReadonlySet<string>> {
    const [first] = drop.versions;
    if (first === undefined) return new Set();
    const paths = [first.page, first.source].filter((path) => path !== undefined);
    const texts = await Promise.all(paths.map((path) => this.#text(drop, path)));
    return findLinkedSlugs(texts.join("\n"), this.#pattern);
  }

  async #create(drop: ArchivedDrop, isPlaceholderNeeded: boolean): Promise<ListedDrop | undefined> {
    const [first] = drop.versions;
    if (first === undefined) return undefined;
    const page = isPlaceholderNeeded ? undefined : await this.#movePage(drop, first);
    // A locked drop with Markdown or a folder starts with a placeholder, because a passcode can be sent only in JSON.
    const isJson = page?.markdown === undefined && page?.folder === undefined;
    const isFirst = page !== undefined && (isJson || !drop.locked);
    const created = await this.#createAllowed(drop, isFirst ? page : undefined);
    if (isFirst) this.#notePublication(drop, page, created);
    return created;
  }

  /** Creates a drop with its earlier visibility, or with the nearest visibility that the service allows. */
  async #createAllowed(drop: ArchivedDrop, page: MovedPage | undefined): Promise<Published> {
    try {
      return await this.#target.create(drop, page);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.code === "idempotency_key_reused") return this.#findOther(drop, error);
      const { field, allowed } = error.details;
      const [visibility] = Array.isArray(allowed) ? allowed : [];
      if (field === "visibility" && visibility !== undefined && visibility !== drop.visibility) {
        this.#notes.push(
          `${drop.url} was ${drop.visibility ?? "public"}, and is now ${visibility}, the nearest visibility that the service allows.`,
        );
        return this.#createAllowed({ ...drop, visibility }, page);
      }
      if (field === "answers" && drop.answers === "readers") {
        this.#notes.push(
          `The forms of ${drop.url} no longer accept answers, because the service does not allow answers.`,
        );
        return this.#createAllowed({ ...drop, answers: "off", answers_results: false }, page);
      }
      throw error;
    }
  }

  /** Finds the drop that another run created with other content, for example from a newer export. */
  async #findOther(drop: ArchivedDrop, error: Refusal): Promise<Published> {
    const found = (await this.#account.listDrops()).find(({ metadata }) => metadata[importTag] === drop.url);
    if (found === undefined) throw error;
    return found;
  }

  async #publish(drop: ArchivedDrop, slug: string, version: ArchivedVersion): Promise<void> {
    const page = await this.#movePage(drop, version);
    this.#report(`version ${version.version} of ${slug}`);
    const published = await this.#target.publish(slug, drop, page).catch(async (error) => {
      if (!(error instanceof Refusal && error.code === "idempotency_key_reused")) throw error;
      // Another run has published this version with other links. The version is published again only if it was deleted.
      const { pending } = findMovedVersions(drop, await this.#account.listVersions(slug));
      return pending.includes(version) ? (await this.#target.republish(slug, page)).result : undefined;
    });
    if (published !== undefined) this.#notePublication(drop, page, published);
  }

  #notePublication(drop: ArchivedDrop, page: MovedPage, { sha256, warnings }: Published): void {
    this.#newVersionCount++;
    const what = `Version ${page.version.version} of ${drop.url}`;
    for (const warning of warnings ?? []) this.#notes.push(`${drop.url}: ${warning}`);
    if (!isContextSent(page))
      this.#notes.push(`${what} was imported without its context, which is too long for the request.`);
    if (page.markdown !== undefined && !isMarkdownSent(page))
      this.#notes.push(
        `${what} was imported as HTML, because its context is too long to send with Markdown. The export contains the Markdown.`,
      );
    else if (page.markdown !== undefined && sha256 !== sha256Of(page.html))
      this.#notes.push(`${what} was rendered again from its Markdown, and differs from the old page.`);
  }

  async #movePage(drop: ArchivedDrop, version: ArchivedVersion): Promise<MovedPage> {
    const map = this.#linkMap();
    const rewrite = (text: string) => rewriteLinks(text, this.#pattern, map);
    const moved = async (path: string) => rewrite(await this.#text(drop, path));
    return {
      version,
      html: await moved(version.page),
      markdown: version.source && (await moved(version.source)),
      folder:
        version.folder === undefined
          ? undefined
          : rewriteArchive(await this.#folder.read(`drops/${drop.slug}/${version.folder}`), rewrite),
      context: version.context && (await this.#text(drop, version.context)),
    };
  }

  async #text(drop: ArchivedDrop, path: string): Promise<string> {
    return (await this.#folder.read(`drops/${drop.slug}/${path}`)).toString();
  }

  /** Returns the result of a write, or undefined if the service refuses the content. An exceeded limit ends the import. */
  async #attempt<Result>(what: string, write: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof Refusal && error.status === 400)) throw error;
      this.#refused.push(`${what}: ${error.message}`);
      return undefined;
    }
  }

  #describeLosses(): string[] {
    const imported = this.#drops.filter(({ slug }) => this.#imported.has(slug));
    const newUrl = ({ slug }: ArchivedDrop) => this.#imported.get(slug)?.url;
    const locked = imported.filter((drop) => drop.locked).map(newUrl);
    const renumbered = imported.filter(({ slug }) =>
      [...(this.#imported.get(slug)?.versions ?? [])].some(([old, number]) => old !== number),
    );
    const untagged = imported.filter((drop) => !(importTag in this.#target.metadataOf(drop)));
    const views = imported.reduce((sum, { view_count }) => sum + view_count, 0);
    const answers = imported.reduce((sum, one) => sum + (one.answerCount ?? 0), 0);
    const comments = imported.reduce((sum, one) => sum + one.comments, 0);
    return [
      ...locked.map(
        (url) =>
          `${url} is locked with a random passcode, because the old passcode cannot be read. To set a new passcode, run: dropleaf lock ${url}`,
      ),
      ...renumbered.map((drop) => `${newUrl(drop)} has different version numbers than ${drop.url}.`),
      ...untagged.map(
        (drop) => `${newUrl(drop)} already has ten tags, so the tag ${importTag} was not added.`,
      ),
      ...(views > 0 ? [`View counts begin at 0; there were ${views} views.`] : []),
      ...(comments > 0 ? [`${comments} readers' comments are only in the export, in feedback.json.`] : []),
      ...(answers > 0 ? [`${answers} answers to forms are only in the export, in answers.json.`] : []),
      ...(this.#archive.files.length > 0 ? ["Files have the date of the import."] : []),
    ];
  }
}

/** Rewrites the links in the pages of a folder's archive. Other files stay unchanged. */
function rewriteArchive(archive: Uint8Array, rewrite: (text: string) => string): Uint8Array {
  const files = Object.entries(unzipFolder(archive)).map(([path, bytes]) => ({
    path,
    bytes: /\.html?$/i.test(path) ? Buffer.from(rewrite(Buffer.from(bytes).toString())) : bytes,
  }));
  return zipFolder(files);
}

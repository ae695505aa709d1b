import { readFile, stat } from "node:fs/promises";
import { extname } from "node:path";
import { buffer } from "node:stream/consumers";
import { type Drop, describeReaders, dropPath, dropSchema, findNamedDrop } from "../drop.ts";
import type { Expiry } from "../expiry.ts";
import type { FolderFile } from "../folder.ts";
import { exitCodes, Problem } from "../problem.ts";
import { findPublishedSlug, notePublishedSlug, readNotesFor } from "../published-files.ts";
import { type Answer, type Client, Refusal } from "../service/client.ts";
import { type ServiceOption, selectService } from "../service/select-service.ts";
import { addTags, readTags, type Tags } from "../tags.ts";
import { withProgress } from "../terminal/dialog.ts";
import { openBrowser } from "../terminal/open-browser.ts";
import { type Output, styled, writeNote, writeResult } from "../terminal/output.ts";

interface PublishOptions extends ServiceOption {
  readonly to?: string;
  readonly new?: true;
  readonly title?: string;
  readonly description?: string;
  readonly note?: string;
  readonly context?: string;
  readonly allowSecrets?: string;
  readonly tag: readonly string[];
  readonly visibility?: string;
  readonly reader: readonly string[];
  readonly expires?: Expiry;
  readonly spa?: true;
  readonly open?: true;
}

/** Media types of pages by file ending. */
const mediaTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".htm": "text/html; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".markdown": "text/markdown; charset=utf-8",
};

/** Publishes a page or a folder: a new version of its drop, or a new drop the first time. */
export async function publish(file: string, options: PublishOptions, output: Output): Promise<void> {
  // A wrong tag is told of before anything is looked up.
  const tags = readTags(options.tag);
  const content = await readContent(file);
  const target = await findTarget(file, options);
  const sending = withProgress(output, `Sending to ${target.client.address}`, (update) =>
    send(content, { ...options, tags }, target, update),
  );
  const { result: drop, status } = await sending.catch((error) => {
    throw error instanceof Refusal && error.status === 404 && options.to === undefined
      ? goneDrop(file)
      : error;
  });
  const { client } = target;
  if (file !== "-" && options.tag.length === 0) await notePublishedSlug(file, client.address, drop.slug);
  for (const warning of drop.warnings ?? []) writeNote([styled("yellow", "Note:"), ` ${warning}`]);
  writeResult(output, drop, [drop.url]);
  if (output.isInteractive) writeNote(describeResult(drop, status === 201));
  if (options.open) await openBrowser(drop.url);
}

/** The published page, or the files of a folder. */
type Content =
  | { readonly bytes: Uint8Array; readonly contentType: string }
  | { readonly files: readonly FolderFile[] };

/** Sends a page or a new folder whole, and of a folder that follows another version only what has changed. */
async function send(
  content: Content,
  options: PublishOptions & { readonly tags: Tags },
  { client, path, method, isVersion }: Target,
  update: (message: string) => void,
): Promise<Answer<Drop>> {
  const fields = describePage(options);
  const spa = options.spa === true;
  if ("files" in content && isVersion) {
    const { publishChangedFiles } = await import("../changed-files.ts");
    const metadata = Object.fromEntries(options.tags);
    const tagged = options.tags.length === 0 ? fields : { ...fields, metadata };
    return publishChangedFiles(client, path, dropSchema, content.files, { spa, fields: tagged }, (count) =>
      update(`Sending ${count} of ${content.files.length} files to ${client.address}`),
    );
  }
  const body = "files" in content ? await zipContent(content.files) : content;
  update(`Sending ${Math.ceil(body.bytes.length / 1024)} KB to ${client.address}`);
  const query = toQuery({ ...fields, ...(spa ? { spa } : {}) }, options.tags);
  return client.call(path, dropSchema, { method, query, body });
}

async function zipContent(files: readonly FolderFile[]) {
  const { zipFolder } = await import("../folder.ts");
  return { bytes: zipFolder(files), contentType: "application/zip" };
}

/** The file's drop was deleted elsewhere. A new drop has a new address, so that the person decides. */
function goneDrop(file: string): Problem {
  return new Problem(
    `The drop that ${file} was published as is gone. Publish it at a new address: dropleaf publish ${file} --new`,
  );
}

function describeResult(drop: Drop, isNew: boolean): string {
  const what = isNew ? "A new drop" : `Version ${drop.latest_version}`;
  return `${what}. ${describeReaders(drop)}`;
}

async function readContent(file: string): Promise<Content> {
  if (file === "-") {
    const bytes = await buffer(process.stdin);
    if (bytes.length === 0)
      throw new Problem("Standard input is empty: pipe a page to dropleaf publish -", exitCodes.usage);
    const isHtml = /^\s*<(!doctype|html|!--|head|body|\w)/i.test(bytes.subarray(0, 1_000).toString());
    return { bytes, contentType: mediaTypes[isHtml ? ".html" : ".md"] as string };
  }
  const facts = await stat(file).catch(() => undefined);
  if (facts === undefined) throw new Problem(`There is no file ${file}.`, exitCodes.usage);
  if (facts.isDirectory()) {
    const { readFolder } = await import("../folder.ts");
    return { files: await readFolder(file) };
  }
  const contentType = mediaTypes[extname(file).toLowerCase()];
  if (contentType === undefined)
    throw new Problem(
      `${file} is no page: a page's name ends in ${Object.keys(mediaTypes).join(", ")}.`,
      exitCodes.usage,
    );
  return { bytes: await readFile(file), contentType };
}

/** Fields of the API that say something of the page and its drop. */
function describePage(options: PublishOptions): Readonly<Record<string, unknown>> {
  const { title, description, note, context, allowSecrets, visibility, reader, expires } = options;
  const given = {
    title,
    description,
    note,
    context,
    allow_secrets: allowSecrets,
    ...expires,
    visibility: visibility ?? (reader.length === 0 ? undefined : "people"),
    readers: reader.length === 0 ? undefined : reader,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** The same fields as a query, with tags. */
function toQuery(fields: Readonly<Record<string, unknown>>, tags: Tags): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) query.set(name, String(value));
  addTags(query, tags);
  return query;
}

interface Target {
  readonly client: Client;
  readonly method: "POST" | "PUT";
  readonly path: string;
  /** The drop is there already. */
  readonly isVersion: boolean;
}

/** By `--to` its drop; by tags the one drop that has them; else the drop that this file was before. */
async function findTarget(file: string, { service, to, new: isNew, tag }: PublishOptions): Promise<Target> {
  if (to !== undefined) {
    const { client, slug } = await findNamedDrop(to, service);
    return { client, method: "PUT", path: dropPath(slug), isVersion: true };
  }
  const folder = file === "-" ? undefined : (await readNotesFor(file)).service;
  const client = await selectService(service, folder);
  const newDrop = { client, method: "POST", path: "/api/drops", isVersion: false } as const;
  if (isNew) return newDrop;
  if (tag.length > 0) return { ...newDrop, method: "PUT" };
  const slug = file === "-" ? undefined : await findPublishedSlug(file, client.address);
  return slug === undefined ? newDrop : { client, method: "PUT", path: dropPath(slug), isVersion: true };
}

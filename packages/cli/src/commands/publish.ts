import { isUtf8 } from "node:buffer";
import { readFile, stat } from "node:fs/promises";
import { extname } from "node:path";
import { buffer } from "node:stream/consumers";
import * as z from "zod/mini";
import {
  type AnswersOptions,
  answersFields,
  type Drop,
  describeReaders,
  dropPath,
  dropSchema,
  findNamedDrop,
} from "../drop.ts";
import type { Expiry } from "../expiry.ts";
import type { FolderFile } from "../folder.ts";
import { exitCodes, Problem } from "../problem.ts";
import { findPublishedSlug, notePublishedSlug, readNotesFor } from "../published-files.ts";
import { type Client, Refusal } from "../service/client.ts";
import { identifier } from "../service/fields.ts";
import { type ServiceOption, selectService } from "../service/select-service.ts";
import { addTags, readTags, type Tags } from "../tags.ts";
import { withProgress } from "../terminal/dialog.ts";
import { openBrowser } from "../terminal/open-browser.ts";
import { type Output, styled, writeNote, writeResult, writeWarnings } from "../terminal/output.ts";
import type { Content } from "../unchanged.ts";

interface PublishOptions extends ServiceOption, AnswersOptions {
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
  readonly quiet?: true;
}

/** Media types of pages by file extension. */
const mediaTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".htm": "text/html; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".markdown": "text/markdown; charset=utf-8",
};

/** Publishes a page or a folder: the first time as a new drop, later as a new version of the drop. */
export async function publish(file: string, options: PublishOptions, output: Output): Promise<void> {
  // Parses tags first, so that wrong tags are reported before any file is read.
  const tags = readTags(options.tag);
  const content = await readContent(file);
  const target = await findTarget(file, options);
  const sending = withProgress(output, `Sending to ${target.client.address}`, (update) =>
    send(content, { ...options, tags }, target, update),
  );
  const { drop, what } = await sending.catch((error) => {
    throw error instanceof Refusal && error.status === 404 && options.to === undefined
      ? goneDrop(file)
      : error;
  });
  const { client } = target;
  if (file !== "-" && options.tag.length === 0) await notePublishedSlug(file, client.address, drop.slug);
  writeWarnings(drop);
  if (what === "unchanged") {
    for (const name of ["note", "context"] as const)
      if (options[name] !== undefined)
        writeNote([styled("yellow", "Note:"), ` There is no new version, so --${name} was not used.`]);
    if (!options.quiet) writeNote(`Nothing was published: version ${drop.latest_version} is unchanged.`);
    writeResult(output, { ...drop, unchanged: true }, [drop.url]);
  } else {
    writeResult(output, drop, [drop.url]);
    if (output.isInteractive) writeNote(`${what}. ${describeReaders(drop)}`);
  }
  if (options.open) await openBrowser(drop.url);
}

/** Maximum size of one request body, in bytes. A service without a server for large bodies refuses larger bodies. */
const requestBytesMax = 3_000_000;

/** Maximum size of a page, in bytes. A larger page is sent as a folder with one page. */
const pageBytesMax = 2_097_152;

/** The published drop, and a phrase about the result, such as "A new drop". */
type Sent = { readonly drop: Drop; readonly what: string };

/**
 * Sends a page or a new folder in one request. Uses several requests for a large folder, and for a new version of a folder. Does not send
 * unchanged content.
 */
async function send(
  content: Content,
  options: PublishOptions & { readonly tags: Tags },
  target: Target,
  update: (message: string) => void,
): Promise<Sent> {
  const { client } = target;
  const { tags } = options;
  const sent = asFolder(content);
  const fields = describePage(options);
  const spa = options.spa === true;
  const slug = target.slug ?? (target.isByTags ? await findTagged(client, tags) : undefined);
  const metadata = tags.length === 0 ? {} : { metadata: Object.fromEntries(tags) };
  const named = target.slug === undefined ? fields : { ...fields, ...metadata };
  if (slug !== undefined) {
    const { editUnchanged, isUnchanged } = await import("../unchanged.ts");
    if (await isUnchanged(client, slug, sent, spa))
      return { drop: await editUnchanged(client, slug, named), what: "unchanged" };
  }
  const files = "files" in sent ? sent.files : [];
  const onCount = (count: number) => update(`Sending ${count} of ${files.length} files to ${client.address}`);
  const query = toQuery({ ...fields, ...(spa ? { spa } : {}) }, tags);
  if ("files" in sent && target.slug !== undefined) return asVersion(await publishFiles(target.slug, named));
  const body = "files" in sent ? await zipContent(files) : sent;
  if (body.bytes.byteLength > requestBytesMax && "files" in sent) {
    if (slug !== undefined) return asVersion(await publishFiles(slug, fields));
    const { publishFirstFolder } = await import("../first-folder.ts");
    update(`Sending ${Math.ceil(body.bytes.byteLength / 1024)} KB to ${client.address}`);
    const first = { ...fields, ...metadata, ...(spa ? { spa } : {}) };
    const { result } = await publishFirstFolder(client, body.bytes, first);
    return { drop: result, what: "A new drop" };
  }
  update(`Sending ${Math.ceil(body.bytes.byteLength / 1024)} KB to ${client.address}`);
  const path = target.slug === undefined ? "/api/drops" : dropPath(target.slug);
  const method = target.slug === undefined && !target.isByTags ? "POST" : "PUT";
  const { result, status } = await client.call(path, dropSchema, { method, query, body });
  return status === 201 ? { drop: result, what: "A new drop" } : asVersion({ result });

  async function publishFiles(ofDrop: string, described: Readonly<Record<string, unknown>>) {
    const { publishChangedFiles } = await import("../changed-files.ts");
    const description = { spa, fields: described };
    return publishChangedFiles(client, dropPath(ofDrop), dropSchema, files, description, onCount);
  }
}

function asVersion({ result: drop }: { readonly result: Drop }): Sent {
  return { drop, what: `Version ${drop.latest_version}` };
}

/** Converts an HTML page that is too large for one request into a folder. Only the service can render Markdown. */
function asFolder(content: Content): Content {
  if ("files" in content || !content.contentType.startsWith("text/html")) return content;
  const { bytes } = content;
  const fits = bytes.byteLength <= pageBytesMax && isUtf8(bytes);
  return fits ? content : { files: [{ path: "index.html", bytes }] };
}

/** Returns the slug of the only drop with the tags, or undefined if no drop has them. @throws Problem if several drops have the tags */
async function findTagged(client: Client, tags: Tags): Promise<string | undefined> {
  const query = new URLSearchParams({ pageSize: "2" });
  addTags(query, tags);
  const list = z.object({ drops: z.array(z.object({ slug: identifier })) });
  const { drops } = (await client.call("/api/drops", list, { query })).result;
  if (drops.length > 1)
    throw new Problem(
      `Several drops have these tags: ${drops.map(({ slug }) => slug).join(", ")}. Choose one with --to <drop>, or add a --tag that only one drop has.`,
    );
  return drops[0]?.slug;
}

async function zipContent(files: readonly FolderFile[]) {
  const { zipFolder } = await import("../folder.ts");
  return { bytes: zipFolder(files), contentType: "application/zip" };
}

/** Creates the error for a file whose drop no longer exists. The user decides whether to create a drop with a new address. */
function goneDrop(file: string): Problem {
  return new Problem(
    `The drop that ${file} was published to no longer exists. To publish the file at a new URL, run: dropleaf publish ${file} --new`,
  );
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
      `${file} is not a page: a page's name ends in ${Object.keys(mediaTypes).join(", ")}.`,
      exitCodes.usage,
    );
  return { bytes: await readFile(file), contentType };
}

/** Returns the API fields that describe the page and its drop. */
function describePage(options: PublishOptions): Readonly<Record<string, unknown>> {
  const { title, description, note, context, allowSecrets, visibility, reader, expires } = options;
  const given = {
    title,
    description,
    note,
    context,
    allow_secrets: allowSecrets,
    ...expires,
    ...answersFields(options),
    visibility: visibility ?? (reader.length === 0 ? undefined : "people"),
    readers: reader.length === 0 ? undefined : reader,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** Returns fields and tags as query parameters. */
function toQuery(fields: Readonly<Record<string, unknown>>, tags: Tags): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) query.set(name, String(value));
  addTags(query, tags);
  return query;
}

interface Target {
  readonly client: Client;
  /** Slug of the drop that gets a new version. @default - a new drop, or the drop with the tags */
  readonly slug?: string | undefined;
  /** True to publish to the only drop that has the tags. */
  readonly isByTags: boolean;
}

/** Finds the drop to publish to: by `--to`, by tags, or by the file's earlier publication. */
async function findTarget(file: string, { service, to, new: isNew, tag }: PublishOptions): Promise<Target> {
  if (to !== undefined) return { ...(await findNamedDrop(to, service)), isByTags: false };
  const folder = file === "-" ? undefined : (await readNotesFor(file)).service;
  const client = await selectService(service, folder);
  if (isNew) return { client, isByTags: false };
  if (tag.length > 0) return { client, isByTags: true };
  const slug = file === "-" ? undefined : await findPublishedSlug(file, client.address);
  return { client, slug, isByTags: false };
}

import { readFile, stat } from "node:fs/promises";
import { extname } from "node:path";
import { buffer } from "node:stream/consumers";
import { type Drop, describeReaders, dropPath, findNamedDrop } from "../drop.ts";
import type { Expiry } from "../expiry.ts";
import type { Output } from "../output.ts";
import { plain, styled, withProgress, writeNote, writeResult } from "../output.ts";
import { exitCodes, Problem } from "../problem.ts";
import { findPublishedSlug, notePublishedSlug, readNotesFor } from "../published-files.ts";
import { type Client, Refusal } from "../service/client.ts";
import { selectService } from "../service/select-service.ts";
import { addTags } from "../tags.ts";

export interface PublishOptions {
  readonly service?: string;
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
  const page = await readPage(file);
  const query = describePage(options);
  const target = await findTarget(file, options);
  const { client, path, method } = target;
  const size = `${Math.ceil(page.bytes.length / 1024)} KB`;
  const { result: drop, status } = await withProgress(output, `Sending ${size} to ${client.address}`, () =>
    client.call<Drop>(path, { method, query, body: page }).catch((error) => {
      throw error instanceof Refusal && error.status === 404 && options.to === undefined
        ? goneDrop(file)
        : error;
    }),
  );
  if (file !== "-" && options.tag.length === 0) await notePublishedSlug(file, client.address, drop.slug);
  for (const warning of drop.warnings ?? [])
    writeNote(`${styled("yellow", "Note:", process.stderr)} ${plain(warning)}`);
  writeResult(output, drop, [drop.url]);
  if (output.isInteractive) writeNote(describeResult(drop, status === 201));
  if (options.open) await (await import("open")).default(drop.url);
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

async function readPage(file: string): Promise<{ bytes: Uint8Array; contentType: string }> {
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
    const { readFolder, zipFolder } = await import("../folder.ts");
    return { bytes: zipFolder(await readFolder(file)), contentType: "application/zip" };
  }
  const contentType = mediaTypes[extname(file).toLowerCase()];
  if (contentType === undefined)
    throw new Problem(
      `${file} is no page: a page's name ends in ${Object.keys(mediaTypes).join(", ")}.`,
      exitCodes.usage,
    );
  return { bytes: await readFile(file), contentType };
}

function describePage({
  title,
  description,
  note,
  context,
  allowSecrets,
  tag,
  visibility,
  reader,
  expires,
  spa,
}: PublishOptions): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({
    title,
    description,
    note,
    context,
    allow_secrets: allowSecrets,
    spa: spa === undefined ? undefined : "true",
  }))
    if (value !== undefined) query.set(name, value);
  for (const [name, value] of Object.entries(expires ?? {})) query.set(name, String(value));
  addTags(query, tag);
  if (visibility !== undefined) query.set("visibility", visibility);
  if (reader.length > 0) {
    query.set("visibility", visibility ?? "people");
    query.set("readers", reader.join(","));
  }
  return query;
}

interface Target {
  readonly client: Client;
  readonly method: "POST" | "PUT";
  readonly path: string;
}

/** By `--to` its drop; by tags the one drop that has them; else the drop that this file was before. */
async function findTarget(file: string, { service, to, new: isNew, tag }: PublishOptions): Promise<Target> {
  if (to !== undefined) {
    const { client, slug } = await findNamedDrop(to, service);
    return { client, method: "PUT", path: dropPath(slug) };
  }
  const folder = file === "-" ? undefined : (await readNotesFor(file)).service;
  const client = await selectService(service, folder);
  if (isNew) return { client, method: "POST", path: "/api/drops" };
  if (tag.length > 0) return { client, method: "PUT", path: "/api/drops" };
  const slug = file === "-" ? undefined : await findPublishedSlug(file, client.address);
  return slug === undefined
    ? { client, method: "POST", path: "/api/drops" }
    : { client, method: "PUT", path: dropPath(slug) };
}

import { randomBytes } from "node:crypto";
import * as z from "zod/mini";
import { sha256Of } from "../changed-files.ts";
import { exitCodes, Problem } from "../problem.ts";
import { type Answer, type Call, type Client, Refusal } from "../service/client.ts";
import type { Archive, ArchivedDrop, ArchivedFile, ArchivedVersion } from "./archive.ts";
import { type ListedFile, listedDrop, listedFile } from "./listed.ts";
import { originalDateOf, placeholderNote } from "./moved-versions.ts";
import { SourceAccount } from "./source-account.ts";

/** Tag of an imported drop, whose value is the drop's old address. */
export const importTag = "imported_from";
const tagsMax = 10;

/** Maximum length of a query that every server accepts, in characters. */
const queryCharactersMax = 4_000;

/** A version whose links have been rewritten. */
export interface MovedPage {
  readonly version: ArchivedVersion;
  readonly html: string;
  /** Markdown source. @default - the version was published as HTML */
  readonly markdown?: string | undefined;
  /** Zip archive of the folder whose entry page this is. @default - the version is a single page */
  readonly folder?: Uint8Array | undefined;
  readonly context?: string | undefined;
}

/** Response to the publication of a drop or version. */
const publishedSchema = z.object({
  ...listedDrop.shape,
  sha256: z.optional(z.string()),
  warnings: z.optional(z.array(z.string())),
});
export type Published = z.output<typeof publishedSchema>;

type Fields = Readonly<Record<string, unknown>>;

/** The account that an import writes to. Idempotency keys are derived from the old addresses, so that repeated runs write only once. */
export class TargetAccount {
  readonly account: SourceAccount;
  readonly #archive: Archive;

  private constructor(account: SourceAccount, archive: Archive) {
    this.account = account;
    this.#archive = archive;
  }

  /** @throws Problem if the account is the exported one, or the service does not accept original dates */
  static async open(client: Client, archive: Archive): Promise<TargetAccount> {
    const account = await SourceAccount.open(client);
    if (client.address === archive.service && account.userId === archive.user_id)
      throw new Problem(
        `The export is from the same account on ${client.address}. Name the service to import into: --service <address>`,
        exitCodes.usage,
      );
    if (!account.takesOriginalDates)
      throw new Problem(
        `${client.address} does not accept the original dates of versions. It must be a Dropleaf service of version 0.2 or later.`,
      );
    return new TargetAccount(account, archive);
  }

  /** Returns the metadata of an imported drop, and its old address as a tag unless the drop already has ten tags. */
  metadataOf({ metadata, url }: ArchivedDrop): Readonly<Record<string, string>> {
    const tagged = { ...metadata, [importTag]: url };
    return Object.keys(tagged).length <= tagsMax ? tagged : metadata;
  }

  async upload(file: ArchivedFile, bytes: Uint8Array): Promise<ListedFile> {
    const query = new URLSearchParams([
      ["filename", file.filename],
      ["visibility", file.visibility ?? "public"],
      ...(file.readers ?? []).map((reader) => ["readers", reader]),
      ...(file.expires_at === undefined ? [] : [["expires_at", String(file.expires_at)]]),
    ]);
    const call: Call = { method: "POST", query, body: { bytes, contentType: file.content_type } };
    const { result } = await this.#once("/api/blobs", listedFile, call, ["file", file.id]);
    return result;
  }

  /**
   * Publishes a new drop with its earlier visibility. Its content is its first version, or a placeholder. A locked drop gets a random
   * passcode, because the old passcode is unknown and the drop must stay locked.
   */
  async create(drop: ArchivedDrop, page: MovedPage | undefined): Promise<Published> {
    const { title, description, readers, indexed, feedback, answers, answers_results, expires_at } = drop;
    const visibility = drop.visibility ?? "public";
    const about: Fields = {
      title,
      description: description ?? undefined,
      metadata: this.metadataOf(drop),
      visibility,
      readers: visibility === "people" ? readers : undefined,
      indexed: visibility === "public" && indexed && !drop.locked ? indexed : undefined,
      feedback,
      answers: answers === "readers" ? answers : undefined,
      answers_results: answers_results || undefined,
      expires_at: expires_at ?? undefined,
    };
    const lock = drop.locked ? { passcode: randomBytes(24).toString("base64url") } : {};
    const content: Call =
      page === undefined
        ? { json: { ...about, ...lock, html: placeholderHtml, note: placeholderNote } }
        : toCall(page, { ...about, ...lock });
    const call: Call = { ...content, method: "POST" };
    const answer = await this.#once("/api/drops", publishedSchema, call, ["drop", drop.slug]);
    if (answer.headers.get("idempotency-replayed") !== "true") return answer.result;
    // The service may have replayed the response of an earlier run, whose drop may have been deleted since.
    const found = await this.account.client.find(`/api/drops/${answer.result.slug}`, publishedSchema);
    return found ?? (await this.account.client.call("/api/drops", publishedSchema, call)).result;
  }

  async publish(slug: string, drop: ArchivedDrop, page: MovedPage): Promise<Published> {
    const call: Call = { ...toCall(page, {}), method: "PUT" };
    const names = ["version", drop.slug, String(page.version.version)];
    return (await this.#once(`/api/drops/${slug}`, publishedSchema, call, names)).result;
  }

  async deleteVersion(slug: string, version: number): Promise<void> {
    await this.account.client.send(`/api/drops/${slug}/v/${version}`, { method: "DELETE" }).catch((error) => {
      if (!(error instanceof Refusal && error.status === 404)) throw error;
    });
  }

  /** Sends a write with the same idempotency key in every run. The service refuses different content with the same key. */
  #once<Schema extends z.ZodMiniType>(
    path: string,
    schema: Schema,
    call: Call,
    names: readonly string[],
  ): Promise<Answer<z.output<Schema>>> {
    const { service, user_id } = this.#archive;
    const key = sha256Of([service, user_id, ...names].join("\n"));
    const headers = { "idempotency-key": `import-${key}` };
    return this.account.client.call(path, schema, { ...call, headers });
  }

  /** Repeats a publication with a new idempotency key, which the client generates. */
  republish(slug: string, page: MovedPage): Promise<Answer<Published>> {
    const call: Call = { ...toCall(page, {}), method: "PUT" };
    return this.account.client.call(`/api/drops/${slug}`, publishedSchema, call);
  }
}

const placeholderHtml =
  '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Import</title></head><body><p>This page is being imported.</p></body></html>\n';

/**
 * Returns the request that publishes a page. Markdown is sent as the body if all other fields fit into the query; otherwise the page is
 * sent as JSON. A folder is always sent as the body. Its context is omitted if it does not fit into the query.
 */
function toCall({ version, html, markdown, folder, context }: MovedPage, about: Fields): Call {
  const described: Fields = { ...about, note: version.note, original_date: originalDateOf(version) };
  const fields: Fields = { ...described, context };
  if (folder !== undefined) {
    const query = toQuery(fields) ?? toQuery(described) ?? new URLSearchParams();
    return { query, body: { bytes: folder, contentType: "application/zip" } };
  }
  const query = markdown === undefined ? undefined : toQuery(fields);
  if (markdown === undefined || query === undefined) return { json: { ...fields, html } };
  return { query, body: { bytes: Buffer.from(markdown), contentType: "text/markdown; charset=utf-8" } };
}

/** Returns true unless the context of a folder's version is too long for the request. */
export function isContextSent(page: MovedPage): boolean {
  return (
    page.folder === undefined || page.context === undefined || toCall(page, {}).query?.has("context") === true
  );
}

/** Returns true if a version is published as Markdown, because all other fields fit into the query. */
export function isMarkdownSent(page: MovedPage): boolean {
  return toCall(page, {}).json === undefined;
}

/** Returns the defined fields as query parameters, or undefined if they do not fit into a query. */
function toQuery({ metadata, readers, ...fields }: Fields): URLSearchParams | undefined {
  const names = (readers ?? []) as readonly string[];
  if ("passcode" in fields || names.some((name) => name.includes(","))) return undefined;
  const query = new URLSearchParams([
    ...Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
    ...Object.entries(metadata ?? {}).map(([key, value]) => [`metadata.${key}`, String(value)]),
    ...(names.length > 0 ? [["readers", names.join(",")]] : []),
  ]);
  return query.toString().length <= queryCharactersMax ? query : undefined;
}

import * as z from "zod/mini";
import { Problem } from "../problem.ts";
import { addItems } from "../service/bounded-list.ts";
import { type Client, Refusal } from "../service/client.ts";
import { type Answer, answersOf, type Comment, commentsOf, readWholeFeed } from "../service/feeds.ts";
import { count, webAddress } from "../service/fields.ts";
import { type PublicResponse, readPublic } from "../service/public-read.ts";
import { checkValue, parseJson } from "../service/response-body.ts";
import {
  type ListedDrop,
  type ListedFile,
  type ListedVersion,
  listedDrop,
  listedFile,
  listedVersion,
} from "./listed.ts";

/** Error for a part of an account that could not be read. The message states the reason. */
export class Unreadable extends Problem {}

/**
 * An account on a service that implements the specification. A Dropleaf service has further operations to read the whole account. On other
 * services, pages are read from their public addresses, and files are found by the links in pages and on the owner's page.
 */
export class SourceAccount {
  readonly client: Client;
  readonly userId: string;
  /** True if the service stores a version's original date. */
  readonly takesOriginalDates: boolean;
  /** Methods and paths, such as "get /api/blobs". */
  readonly #operations: ReadonlySet<string>;

  private constructor(
    client: Client,
    userId: string,
    { operations, takesOriginalDates }: Awaited<ReturnType<typeof readFeatures>>,
  ) {
    this.client = client;
    this.userId = userId;
    this.takesOriginalDates = takesOriginalDates;
    this.#operations = operations;
  }

  static async open(client: Client): Promise<SourceAccount> {
    const { result: me } = await client.call("/api/me", z.object({ user_id: z.string() }));
    return new SourceAccount(client, me.user_id, await readFeatures(client));
  }

  /** True if the service cannot list files. Files are then found by the links to them. */
  get findsFilesByLinks(): boolean {
    return !this.#operations.has("get /api/blobs");
  }

  /** Lists all drops, oldest first. */
  listDrops(): Promise<ListedDrop[]> {
    const order = { sortBy: "created_at", sortOrder: "asc" };
    return listAll(this.client, "/api/drops", "drops", listedDrop, order);
  }

  /** Lists the versions of a drop, oldest first. The list is empty if the drop was deleted in the meantime. */
  async listVersions(slug: string): Promise<ListedVersion[]> {
    const path = `/api/drops/${slug}/versions`;
    const found = await this.client.find(path, z.object({ versions: z.array(listedVersion) }));
    return (found?.versions ?? []).toSorted((one, other) => one.version - other.version);
  }

  listFiles(): Promise<ListedFile[]> {
    return listAll(this.client, "/api/blobs", "blobs", listedFile);
  }

  /** @throws Unreadable */
  async readPage({ slug, locked }: ListedDrop, { version, size_bytes }: ListedVersion): Promise<Uint8Array> {
    if (this.#operations.has("get /api/drops/{slug}/html"))
      return this.#readOwn(`/api/drops/${slug}/html`, version);
    const what = `Version ${version} of ${slug}`;
    if (locked) throw new Unreadable(`${what}: the service requires its passcode. Unlock the drop first.`);
    const served = await this.#readPublic(`${this.client.address}/p/${slug}/raw?v=${version}`);
    const page = served.status === 200 ? withoutServedStyle(served.bytes, size_bytes) : undefined;
    if (page !== undefined) return page;
    throw new Unreadable(
      `${what}: its address does not return the page as it was published (${served.status}).`,
    );
  }

  /**
   * Reads all files of a folder as a zip archive.
   *
   * @throws Unreadable
   */
  async readFolder(slug: string, version: number): Promise<Uint8Array> {
    const query = new URLSearchParams({ v: String(version), archive: "true" });
    const schema = z.object({ archive_url: webAddress });
    const { result } = await this.client.call(`/api/drops/${slug}/files`, schema, { query });
    const { status, bytes } = await this.#readPublic(result.archive_url);
    if (status === 200) return bytes;
    throw new Unreadable(
      `Version ${version} of ${slug}: the archive of its files could not be downloaded (status ${status}). Export again later.`,
    );
  }

  /** Reads the Markdown of a version that was published as Markdown. */
  readSource(slug: string, version: number): Promise<Uint8Array> {
    return this.#readOwn(`/api/drops/${slug}/source`, version);
  }

  /** @throws Unreadable */
  async readContext(slug: string, version: number): Promise<string | Uint8Array> {
    if (this.#operations.has("post /mcp")) return readByTool(this.client, slug, version);
    const served = await this.#readPublic(`${this.client.address}/p/${slug}/context?v=${version}`);
    if (served.status === 200 && served.contentType.startsWith("text/plain")) return served.bytes;
    throw new Unreadable(
      `Context of version ${version} of ${slug}: the service has no operation that returns contexts.`,
    );
  }

  /** @throws Unreadable */
  async readFile({ id, filename, url, visibility }: ListedFile): Promise<Uint8Array> {
    const what = `File ${id} (${filename})`;
    const address = this.#operations.has("get /api/blobs/{id}") ? await this.#findBytes(id) : url;
    if (address === url && visibility !== undefined && visibility !== "public" && visibility !== "unlisted")
      throw new Unreadable(
        `${what}: the service has no operation that returns restricted files. Update the service.`,
      );
    const { status, bytes } = await this.#readPublic(address);
    if (status === 200) return bytes;
    throw new Unreadable(`${what}: ${url} responded ${status}. Export again later.`);
  }

  /** Reads a linked file, with its metadata from the response headers. Returns undefined if the file is missing. */
  async findLinkedFile(url: string): Promise<(ListedFile & { readonly bytes: Uint8Array }) | undefined> {
    const found = await this.#readPublic(url);
    if (found.status !== 200) return undefined;
    const { bytes, contentType } = found;
    const id = url.slice(url.lastIndexOf("/") + 1);
    const filename = nameOf(id, found);
    return { id, filename, content_type: contentType, size_bytes: bytes.length, url, bytes };
  }

  /** Reads the readers' comments and the owner's replies, by slug. */
  async readComments(): Promise<Map<string, Comment[]>> {
    if (!this.#operations.has("get /api/feedback")) return new Map();
    const bySlug = new Map<string, Comment[]>();
    for (const comment of await readWholeFeed(commentsOf(this.client)))
      bySlug.set(comment.slug, [...(bySlug.get(comment.slug) ?? []), comment]);
    return bySlug;
  }

  /** Reads the readers' answers to the forms of a drop. */
  async readAnswers(slug: string): Promise<Answer[]> {
    if (!this.#operations.has("get /api/drops/{slug}/answers")) return [];
    return readWholeFeed(answersOf(this.client, slug));
  }

  #readPublic(address: string): Promise<PublicResponse> {
    return readPublic(address, this.client.address);
  }

  async #readOwn(path: string, version: number): Promise<Uint8Array> {
    const query = new URLSearchParams({ v: String(version) });
    return (await this.client.send(path, { query })).bytes;
  }

  async #findBytes(id: string): Promise<string> {
    const { result } = await this.client.call(`/api/blobs/${id}`, z.object({ bytes_url: webAddress }));
    return result.bytes_url;
  }
}

/** The used parts of a service's OpenAPI document. */
const openApiDocument = z.object({
  paths: z.optional(z.record(z.string(), z.record(z.string(), z.unknown()))),
  components: z.optional(
    z.object({
      schemas: z.optional(
        z.object({
          PublishDrop: z.optional(z.object({ properties: z.optional(z.record(z.string(), z.unknown())) })),
        }),
      ),
    }),
  ),
});

/** Reads the service's features from its OpenAPI document. Without a document, assumes only the features in the specification. */
async function readFeatures(client: Client) {
  const document = await client.call("/openapi.json", openApiDocument).then(
    ({ result }) => result,
    (error) => {
      if (error instanceof Refusal && error.status !== 429) return undefined;
      throw error;
    },
  );
  const operations = Object.entries(document?.paths ?? {}).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  const publication = document?.components?.schemas?.PublishDrop?.properties ?? {};
  return { operations: new Set(operations), takesOriginalDates: "original_date" in publication };
}

const pageSizeMax = "200";

/** Reads all pages of a list. */
async function listAll<Schema extends z.ZodMiniType>(
  client: Client,
  path: string,
  field: string,
  item: Schema,
  order: Readonly<Record<string, string>> = {},
): Promise<z.output<Schema>[]> {
  const schema = z.object({ [field]: z.array(item), total: count });
  const items: z.output<Schema>[] = [];
  for (let page = 1; ; page++) {
    const query = new URLSearchParams({ ...order, page: String(page), pageSize: pageSizeMax });
    const { result } = await client.call(path, schema, { query });
    const found = result[field] as readonly z.output<Schema>[];
    addItems(items, found, client.address);
    if (found.length === 0 || items.length >= (result.total as number)) return items;
  }
}

/** The used parts of a tool's result. */
const toolResult = z.object({
  content: z.optional(z.array(z.object({ text: z.string() }))),
  isError: z.optional(z.boolean()),
});
const toolResponse = z.object({ result: z.optional(toolResult) });

/** Metadata of one part of a context, from the text that the tool returns before the part. */
const partFacts = z.object({ next_offset: z.optional(count) });

/** Reads a context in parts with the MCP tool `read_drop`. No other operation returns the context of a restricted drop. */
async function readByTool(client: Client, slug: string, version: number): Promise<string> {
  const what = `Context of version ${version} of ${slug}`;
  const parts: string[] = [];
  let offset = 0;
  for (;;) {
    const given = { slug, version, part: "context", offset, limit: 100_000 };
    const params = { name: "read_drop", arguments: given };
    const json = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    const headers = { accept: "application/json, text/event-stream" };
    const { result: response } = await client.call("/mcp", toolResponse, { method: "POST", headers, json });
    const [facts, part] = response.result?.content ?? [];
    if (facts === undefined || response.result?.isError)
      throw new Unreadable(`${what}: ${facts?.text ?? "no result"}`);
    parts.push(part?.text ?? "");
    const toError = (fault: string) => new Unreadable(`${what}: ${fault}`);
    const { next_offset: next } = checkValue(partFacts, parseJson(Buffer.from(facts.text)), toError);
    if (next === undefined) return parts.join("");
    if (next <= offset || next > contextCharactersMax)
      throw new Unreadable(
        `${what}: the service sent a longer context than it accepts. Report this to its operator.`,
      );
    offset = next;
  }
}

/** Maximum length of a context that is read, in characters. Dropleaf itself allows 65,536. */
const contextCharactersMax = 1_000_000;

/** Returns the file name from the response. Without a file name, returns the identifier with the extension of the media type. */
function nameOf(id: string, { filename, contentType }: PublicResponse): string {
  if (filename !== undefined && filename !== "") return filename;
  const [, ending = "bin"] = /^\w+\/([a-z0-9]{1,40})/.exec(contentType) ?? [];
  return `${id}.${ending}`;
}

/**
 * Restores the published page from the response of its raw address, by removing the style that a service adds to the pages that it serves.
 * Returns undefined if the added style cannot be distinguished from the page's own styles.
 *
 * @param sizeBytes length of the published page
 */
export function withoutServedStyle(served: Buffer, sizeBytes: number): Buffer | undefined {
  const addedBytes = served.length - sizeBytes;
  if (addedBytes === 0) return served;
  // latin1 decodes each byte as one character.
  const text = served.toString("latin1");
  for (const { 0: style, index } of text.matchAll(/<style[^>]*>[\s\S]*?<\/style>\s*/gi)) {
    if (style.trimEnd().length <= addedBytes && addedBytes <= style.length)
      return Buffer.concat([served.subarray(0, index), served.subarray(index + addedBytes)]);
  }
  return undefined;
}

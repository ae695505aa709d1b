import { plain } from "../output.ts";
import { Problem } from "../problem.ts";
import { type Client, Refusal } from "../service/client.ts";
import { type PublicResponse, readPublic } from "../service/public-read.ts";
import { withoutServedStyle } from "./served-page.ts";

/** A drop as the service lists it. Fields that the specification does not have are optional. */
export interface ListedDrop {
  readonly slug: string;
  readonly title: string;
  readonly description?: string | null;
  readonly url: string;
  readonly raw_url: string;
  readonly locked?: boolean;
  readonly visibility?: string;
  readonly readers?: readonly string[];
  readonly indexed?: boolean;
  readonly feedback?: string;
  readonly expires_at?: number | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly view_count: number;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface ListedVersion {
  readonly version: number;
  readonly size_bytes: number;
  readonly has_context: boolean;
  readonly has_source?: boolean;
  /** Count of the files of a folder. @default - it is one page */
  readonly files?: number;
  readonly original_date?: number;
  readonly note?: string;
  readonly created_at: number;
}

export interface ListedFile {
  readonly id: string;
  readonly filename: string;
  readonly content_type: string;
  readonly size_bytes: number;
  readonly url: string;
  readonly created_at?: number;
  readonly visibility?: string;
  readonly readers?: readonly string[];
  readonly expires_at?: number;
}

/** Part of an account that could not be read; the message says why. */
export class Unreadable extends Problem {}

/**
 * An account on a service that has the calls of the specification. Dropleaf has further ones, which read the account whole; elsewhere
 * pages come from their public addresses, and files are those that pages and the owner's page link to.
 */
export class SourceAccount {
  readonly client: Client;
  readonly userId: string;
  /** The service keeps a version's original date. */
  readonly takesOriginalDates: boolean;
  readonly #calls: ReadonlySet<string>;

  private constructor(client: Client, userId: string, { calls, takesOriginalDates }: Abilities) {
    this.client = client;
    this.userId = userId;
    this.takesOriginalDates = takesOriginalDates;
    this.#calls = calls;
  }

  static async open(client: Client): Promise<SourceAccount> {
    const { result: me } = await client.call<{ readonly user_id: string }>("/api/me");
    return new SourceAccount(client, me.user_id, await readAbilities(client));
  }

  /** True if files cannot be listed, and are found by the links to them. */
  get findsFilesByLinks(): boolean {
    return !this.#calls.has("get /api/blobs");
  }

  /** All drops, the oldest first. */
  listDrops(): Promise<ListedDrop[]> {
    return listAll<ListedDrop>(this.client, "/api/drops", "drops", [
      ["sortBy", "created_at"],
      ["sortOrder", "asc"],
    ]);
  }

  /** Versions of a drop, the oldest first; none if it was deleted meanwhile. */
  async listVersions(slug: string): Promise<ListedVersion[]> {
    const path = `/api/drops/${slug}/versions`;
    const found = await this.client.find<{ readonly versions: readonly ListedVersion[] }>(path);
    return (found?.versions ?? []).toSorted((one, other) => one.version - other.version);
  }

  listFiles(): Promise<ListedFile[]> {
    return listAll<ListedFile>(this.client, "/api/blobs", "blobs");
  }

  /** @throws Unreadable */
  async readPage({ slug, locked }: ListedDrop, { version, size_bytes }: ListedVersion): Promise<Uint8Array> {
    if (this.#calls.has("get /api/drops/{slug}/html"))
      return this.#readOwn(`/api/drops/${slug}/html`, version);
    const what = `Version ${version} of ${slug}`;
    if (locked)
      throw new Unreadable(
        `${what}: the service gives it to nobody without the passcode. Unlock the drop first.`,
      );
    const served = await readPublic(`${this.client.address}/p/${slug}/raw?v=${version}`);
    const page = served.status === 200 ? withoutServedStyle(served.bytes, size_bytes) : undefined;
    if (page !== undefined) return page;
    throw new Unreadable(
      `${what}: its address did not give the page as it was published (${served.status}).`,
    );
  }

  /**
   * All files of a folder as a zip archive.
   *
   * @throws Unreadable
   */
  async readFolder(slug: string, version: number): Promise<Uint8Array> {
    const query = new URLSearchParams({ v: String(version), archive: "true" });
    const { result } = await this.client.call<{ readonly archive_url: string }>(`/api/drops/${slug}/files`, {
      query,
    });
    const { status, bytes } = await readPublic(result.archive_url);
    if (status === 200) return bytes;
    throw new Unreadable(
      `Version ${version} of ${slug}: the archive of its files answered ${status}. Export again later.`,
    );
  }

  /** The Markdown of a version that was published as such. */
  readSource(slug: string, version: number): Promise<Uint8Array> {
    return this.#readOwn(`/api/drops/${slug}/source`, version);
  }

  /** @throws Unreadable */
  async readContext(slug: string, version: number): Promise<string | Uint8Array> {
    if (this.#calls.has("post /mcp")) return readByTool(this.client, slug, version);
    const served = await readPublic(`${this.client.address}/p/${slug}/context?v=${version}`);
    if (served.status === 200 && served.contentType.startsWith("text/plain")) return served.bytes;
    throw new Unreadable(`Context of version ${version} of ${slug}: the service has no call that reads it.`);
  }

  /** @throws Unreadable */
  async readFile({ id, filename, url, visibility }: ListedFile): Promise<Uint8Array> {
    const what = `File ${id} (${plain(filename)})`;
    const address = this.#calls.has("get /api/blobs/{id}") ? await this.#findBytes(id) : url;
    if (address === url && visibility !== undefined && visibility !== "public" && visibility !== "unlisted")
      throw new Unreadable(`${what}: the service has no call that reads files for some readers. Update it.`);
    const { status, bytes } = await readPublic(address);
    if (status === 200) return bytes;
    throw new Unreadable(`${what}: ${url} answered ${status}. Export again later.`);
  }

  /** File that a page links to, with what its response says of it; undefined if there is none. */
  async findLinkedFile(url: string): Promise<(ListedFile & { readonly bytes: Uint8Array }) | undefined> {
    const found = await readPublic(url);
    if (found.status !== 200) return undefined;
    const id = url.slice(url.lastIndexOf("/") + 1);
    return {
      id,
      filename: nameOf(id, found),
      content_type: found.contentType,
      size_bytes: found.bytes.length,
      url,
      bytes: found.bytes,
    };
  }

  /** Comments of readers by slug, with the responses of the owner. */
  async readComments(): Promise<Map<string, object[]>> {
    const bySlug = new Map<string, object[]>();
    if (!this.#calls.has("get /api/feedback")) return bySlug;
    const query = new URLSearchParams();
    for (;;) {
      const { result } = await this.client.call<{
        readonly comments: readonly { readonly slug: string }[];
        readonly next_since: number;
        readonly has_more: boolean;
      }>("/api/feedback", { query });
      for (const comment of result.comments)
        bySlug.set(comment.slug, [...(bySlug.get(comment.slug) ?? []), comment]);
      if (!result.has_more) return bySlug;
      query.set("since", String(result.next_since));
    }
  }

  async #readOwn(path: string, version: number): Promise<Uint8Array> {
    const query = new URLSearchParams({ v: String(version) });
    return (await this.client.call(path, { query })).bytes;
  }

  async #findBytes(id: string): Promise<string> {
    const { result } = await this.client.call<{ readonly bytes_url: string }>(`/api/blobs/${id}`);
    return result.bytes_url;
  }
}

/** Abilities of a service. */
interface Abilities {
  /** Method and path, such as "get /api/blobs". */
  readonly calls: ReadonlySet<string>;
  readonly takesOriginalDates: boolean;
}

/** Document of the service, as far as it is read here. */
interface OpenApiDocument {
  readonly paths?: Readonly<Record<string, object>>;
  readonly components?: {
    readonly schemas?: { readonly PublishDrop?: { readonly properties?: object } };
  };
}

/** Abilities by the service's OpenAPI document; none beyond the specification without one. */
async function readAbilities(client: Client): Promise<Abilities> {
  const { result: document } = await client
    .call<OpenApiDocument | undefined>("/openapi.json")
    .catch((error) => {
      if (error instanceof Refusal && error.status !== 429) return { result: undefined };
      throw error;
    });
  const calls = Object.entries(document?.paths ?? {}).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  const publication = document?.components?.schemas?.PublishDrop?.properties ?? {};
  return { calls: new Set(calls), takesOriginalDates: "original_date" in publication };
}

const pageSizeMax = "200";

/** All pages of a list. */
async function listAll<Item>(
  client: Client,
  path: string,
  field: string,
  parameters: readonly (readonly [string, string])[] = [],
): Promise<Item[]> {
  const items: Item[] = [];
  for (let page = 1; ; page++) {
    const query = new URLSearchParams([
      ...parameters.map(([name, value]) => [name, value]),
      ["page", String(page)],
      ["pageSize", pageSizeMax],
    ]);
    const { result } = await client.call<Record<string, unknown>>(path, { query });
    const found = result[field] as readonly Item[];
    items.push(...found);
    if (found.length === 0 || items.length >= (result.total as number)) return items;
  }
}

/** Result of a tool, as far as it is read here. */
interface ToolResult {
  readonly result?: { readonly content: readonly { readonly text: string }[]; readonly isError?: boolean };
}

/** Reads a context by the MCP tool `read_drop`, part by part: no other call gives the context of a guarded drop. */
async function readByTool(client: Client, slug: string, version: number): Promise<string> {
  const parts: string[] = [];
  let offset: number | undefined = 0;
  while (offset !== undefined) {
    const given = { slug, version, part: "context", offset, limit: 100_000 };
    const { result: response } = await client.call<ToolResult>("/mcp", {
      method: "POST",
      headers: { accept: "application/json, text/event-stream" },
      json: {
        ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
        params: { name: "read_drop", arguments: given },
      },
    });
    const [facts, part] = response.result?.content ?? [];
    if (facts === undefined || response.result?.isError)
      throw new Unreadable(`Context of version ${version} of ${slug}: ${plain(facts?.text ?? "no result")}`);
    parts.push(part?.text ?? "");
    ({ next_offset: offset } = JSON.parse(facts.text) as { readonly next_offset?: number });
  }
  return parts.join("");
}

/** Name of a download, or for what browsers show: the identifier with the ending of its type. */
function nameOf(id: string, { filename, contentType }: PublicResponse): string {
  if (filename !== undefined && filename !== "") return filename;
  const [, ending = "bin"] = /^\w+\/([a-z0-9]+)/.exec(contentType) ?? [];
  return `${id}.${ending}`;
}

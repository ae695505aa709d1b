import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { zipSync } from "fflate";
import { describeApi } from "../../functions/discovery/openapi/document.ts";
import { ApiDescription, type Described } from "../support/openapi-validation.ts";

/** A response before it is sent. */
export interface Reply {
  status: number;
  headers: Record<string, string | number>;
  body: unknown;
}

/** A service that responds as the OpenAPI document describes, with every optional field, until a test changes a response. */
export interface HostileService {
  readonly address: string;
  /** Operations that were called, such as "GET /api/drops", once each. */
  readonly called: Set<string>;
  /** Authorization headers of the received requests. */
  readonly tokens: Set<string | undefined>;
  /** Changes the response of an operation. */
  change: (operation: string, reply: Reply) => Reply;
  /** Sends the response itself and returns true, or returns false. */
  takeOver: (operation: string, response: ServerResponse) => boolean;
  stop(): void;
}

/** Body at every URL that a response names, such as the URL of a folder's archive or of a picture. */
const namedBytes = Buffer.from(zipSync({ "index.html": Buffer.from("<title>Entry</title>") }));

export async function startHostileService(): Promise<HostileService> {
  const server = createServer(async (request, response) => {
    const sent = await buffer(request);
    const [, scope] = /"scope":"(\w+)"/.exec(sent.toString()) ?? [];
    if (scope !== undefined) samples.scope = scope;
    await reply(request, response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const samples = new Samples(address);
  const service: HostileService = {
    address,
    called: new Set(),
    tokens: new Set(),
    change: (_, given) => given,
    takeOver: () => false,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };

  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    service.tokens.add(request.headers.authorization);
    const operation = samples.operationOf(request.method ?? "", request.url ?? "");
    service.called.add(operation);
    if (service.takeOver(operation, response)) return;
    const { status, headers, body } = service.change(operation, samples.reply(operation));
    const text = typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    response.writeHead(status, headers).end(status === 204 ? "" : text);
  }

  return service;
}

/** Example responses by operation. */
class Samples {
  readonly #address: string;
  readonly #api: ApiDescription;
  /** Scope of the last sign-in. */
  scope = "all";

  constructor(address: string) {
    const site = { baseUrl: address, ownerUrl: () => address };
    this.#address = address;
    this.#api = new ApiDescription(JSON.parse(JSON.stringify(describeApi(site, "1.2.3"))));
  }

  /** Returns the operation of a request, or the method and path for a URL outside the API. */
  operationOf(method: string, url: string): string {
    const { pathname } = new URL(url, this.#address);
    const fitting = [...this.#api.operations.values()].filter(
      (operation) =>
        operation.method === method &&
        new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(pathname),
    );
    const exact = fitting.find(({ path }) => path === pathname) ?? fitting[0];
    return `${method} ${exact?.path ?? pathname}`;
  }

  reply(operation: string): Reply {
    const described = [...this.#api.operations.values()].find(
      ({ method, path }) => `${method} ${path}` === operation,
    );
    if (described === undefined)
      return { status: 200, headers: { "content-type": "application/zip" }, body: namedBytes };
    const [status = "200", shape = {}] =
      Object.entries<Described>(described.responses).find(([code]) => code.startsWith("2")) ?? [];
    const [type = "", content = {}] =
      Object.entries<Described>(this.#api.resolve(shape).content ?? {})[0] ?? [];
    const headers = { "content-type": type };
    const special = this.#special(operation);
    const body = special ?? this.#sample(content.schema ?? {}, content.example, "");
    if (operation === "GET /api/me") Object.assign((body as { token: object }).token, { scope: this.scope });
    return { status: Number(status), headers, body };
  }

  /** Returns the responses whose schema is not precise enough, or undefined for other operations. */
  #special(operation: string): unknown {
    if (operation === "GET /openapi.json") return this.#api.document;
    const texts = ["{}", "A context"].map((text) => ({ type: "text", text }));
    return operation === "POST /mcp" ? { jsonrpc: "2.0", id: 1, result: { content: texts } } : undefined;
  }

  /** Creates a value of a schema from its example, and from types and names where the example lacks a field. */
  #sample(given: Described, example: Described, name: string): unknown {
    const schema = this.#merge(given);
    if (example === null) return null;
    if (schema.enum !== undefined) return example ?? schema.enum[0];
    const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
    if (schema.properties !== undefined)
      return Object.fromEntries(
        Object.entries<Described>(schema.properties).map(([key, inner]) => [
          key,
          this.#sample(inner, example?.[key], key),
        ]),
      );
    if (type === "object") return example ?? { topic: "numbers" };
    if (type === "array") {
      const items: Described[] = example ?? [undefined];
      return schema.prefixItems === undefined
        ? items.map((item) => this.#sample(schema.items ?? {}, item, name))
        : (example ?? [0, 1]);
    }
    if (type === "boolean") return example ?? false;
    if (type === "integer" || type === "number") return this.#number(example, schema.minimum, name);
    return this.#text(example, schema, name);
  }

  #number(example: number | undefined, minimum: number | undefined, name: string): number {
    if (name === "size_bytes") return namedBytes.length;
    // A sign-in polls until its code expires.
    if (name === "expires_in") return 2;
    return example ?? (name.endsWith("_at") ? Date.UTC(2100, 0) : Math.max(minimum ?? 1, 1));
  }

  #text(example: string | undefined, { format, pattern }: Described, name: string): string {
    if (format === "uri" && /^(picture|upload|archive|bytes)|^url$/.test(name))
      return `${this.#address}/${name === "url" ? "d/aB3dE5f" : name}`;
    if (example !== undefined)
      return example.replace(/^https:\/\/(\w+\.)?drops\.example\.com/, this.#address);
    return format === "uri" ? `${this.#address}/d/aB3dE5f` : pattern === undefined ? "text" : "aB3dE5f";
  }

  /** Merges the parts of a schema (allOf, and the first of anyOf) into one. */
  #merge(given: Described): Described {
    const { allOf, anyOf, ...schema } = this.#api.resolve(given);
    for (const part of [...(allOf ?? []), ...(anyOf ?? []).slice(0, 1)].map((one) => this.#merge(one))) {
      const properties = { ...schema.properties, ...part.properties };
      Object.assign(schema, part, Object.keys(properties).length > 0 ? { properties } : {});
    }
    return schema;
  }
}

/** Path of a value in JSON. */
export type LeafPath = readonly (string | number)[];

/** Paths of all strings, numbers, booleans and nulls. */
export function leavesOf(value: unknown, path: LeafPath = []): LeafPath[] {
  if (typeof value !== "object" || value === null || Buffer.isBuffer(value)) return [path];
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return entries.flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}

/** Returns a copy of a value with the replacement at a path. */
export function replaceLeaf(value: unknown, [key, ...rest]: LeafPath, replacement: unknown): unknown {
  if (key === undefined) return replacement;
  const copy: Described = Array.isArray(value) ? [...value] : { ...(value as object) };
  copy[key] = replaceLeaf(copy[key], rest, replacement);
  return copy;
}

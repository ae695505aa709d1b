import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type DocumentSite, writtenSite } from "../core/written-site.ts";
import { type Operation, type OperationInput, operation } from "../http/operation.ts";
import { compressed } from "../http/page-operation.ts";
import { type HttpResponse, jsonHeaders } from "../http/response.ts";
import { type ContentKind, mediaTypes, type Route } from "../http/route.ts";
import { ownerUrl, type Site } from "../http/site.ts";

/** Documents with this service's URLs inserted, cached for the life of the process. */
const filled = new Map<string, Promise<string>>();

/**
 * Reads a document from the function's bundle, and inserts this service's URLs.
 *
 * @throws Error if the document is not bundled; see `lib/bundle/function-files.ts`
 */
export function readDocument(name: string, site: Site): Promise<string> {
  const found = filled.get(name) ?? fill(name, site);
  filled.set(name, found);
  return found;
}

/**
 * Responds 200 with a document, which clients may cache for five minutes. The edge does not cache the document, so that an upgrade takes
 * effect at once.
 */
export function document(
  kind: ContentKind,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return {
    status: 200,
    headers: {
      ...jsonHeaders,
      "content-type": mediaTypes[kind],
      "cache-control": "public, max-age=300, s-maxage=0",
      ...headers,
    },
    body,
  };
}

async function fill(name: string, site: Site): Promise<string> {
  const written = await readFile(join(import.meta.dirname, name), "utf8");
  return fillSite(written, {
    baseUrl: site.baseUrl,
    ownerUrl: (namespace) => ownerUrl(site, namespace).replace(/\/$/, ""),
  });
}

const ownerPattern = /https:\/\/([a-z0-9{}-]+)\.base-domain\.invalid/g;

/** Replaces the placeholder URLs in a document with the service's own URLs. */
export function fillSite(document: string, site: DocumentSite): string {
  return document
    .replaceAll(writtenSite.baseUrl, site.baseUrl)
    .replace(ownerPattern, (_, namespace: string) => site.ownerUrl(namespace));
}

/** Defines an operation whose document is the same for everyone. Compresses the response with the encoding that the client prefers. */
export function documentOperation<Row extends Route>(
  route: Row,
  run: (input: OperationInput<Row>) => Promise<HttpResponse>,
): Operation {
  return operation(route, async (input) => compressed(await run(input), input.request, { isKept: true }));
}

import type { ContentBlock } from "@modelcontextprotocol/server";
import { ApiError } from "../core/errors.ts";
import { ok } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import type { Drop } from "./drop.ts";
import { pages } from "./page-objects.ts";
import { publicDrops } from "./public-drops.ts";
import { pageHtmlRow, readDropRow } from "./version-rows.ts";

/** Content of a tool's result. */
export type ToolContent = { content: ContentBlock[]; structuredContent?: Record<string, unknown> };

/** The tool `read_drop`: returns a slice of a published page, even if it is locked. The result begins with the version and the next offset. */
export const readDrop = tokenOperation(readDropRow, async ({ caller, path, query, nowMs }) => {
  const { slug } = path;
  const { version, part, offset, limit } = query;
  const { found } = await publicDrops.requireVersion({ ownerId: caller.userId, slug, version }, nowMs);
  const source = { slug, version: found.version, part };
  const text = await readText(found, part);
  return ok(part === "images" ? sliceImages(source, text, offset) : sliceText(source, text, offset, limit));
});

/** Maximum size of a page that is shown in the chat, in bytes. */
const shownBytesMax = 1_000_000;

/** Maximum length of the page as JSON, in characters. Escaping can turn one character into six. A Lambda response is limited to 6 MB. */
const shownJsonCharactersMax = 4_000_000;

/** The tool `page_html`: returns a whole page to the embedded page in the chat, or the reason why it cannot be shown there. */
export const pageHtml = tokenOperation(pageHtmlRow, async ({ caller, path, query, nowMs }) => {
  const { slug } = path;
  const asked = { ownerId: caller.userId, slug, version: query.version };
  const { found } = await publicDrops.requireVersion(asked, nowMs);
  const source = { slug, version: found.version };
  if (found.folder !== undefined) return ok(toPage({ ...source, omitted: "folder" }));
  const html = await readText(found, "html");
  const sizeBytes = Buffer.byteLength(html);
  const isShown = sizeBytes <= shownBytesMax && JSON.stringify(html).length <= shownJsonCharactersMax;
  const data = { ...source, size_bytes: sizeBytes };
  return ok(isShown ? toPage(data, { html }) : toPage({ ...data, omitted: "too_large" }));
});

/** Result with structured data for the embedded page in the chat. Its text contains everything except the HTML. */
function toPage(data: object, page: object = {}): ToolContent {
  return { structuredContent: { ...data, ...page }, content: [toBlock(JSON.stringify(data))] };
}

type Source = { readonly slug: string; readonly version: number; readonly part: string };

async function readText({ pageKey, hasContext }: Drop["latest"], part: string): Promise<string> {
  if (part === "context" && !hasContext) return "";
  const bytes = part === "context" ? await pages.getContext(pageKey) : (await pages.get(pageKey))?.bytes;
  // The version was deleted in the meantime.
  if (bytes === undefined) throw new ApiError("not_found");
  return bytes.toString();
}

function sliceText(source: Source, text: string, offset: number, limit: number): ToolContent {
  const end = offset + limit;
  // A slice must not end inside a surrogate pair, because half of a pair would be replaced.
  const cut = /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) && end < text.length ? end + 1 : end;
  const slice = text.slice(offset, cut);
  const told = { ...source, offset, characters: slice.length, total: text.length, ...next(cut, text.length) };
  return {
    content: [toBlock(JSON.stringify(told)), ...(slice === "" ? [] : [toBlock(slice.toWellFormed())])],
  };
}

/** Matches embedded images of the types that models accept. The protocol does not define the types; see "Image Content", MCP specification. */
const embeddedImage = /data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/]+={0,2})/g;

/** Maximum length of base64 in a result, in characters. Models' context windows are smaller than Lambda's limit of 6 MB. */
const imageCharactersMax = 1_500_000;

/** Returns a page's embedded images without duplicates, starting at an offset, as many as fit into one result. */
function sliceImages(source: Source, html: string, offset: number): ToolContent {
  const images = [...new Map([...html.matchAll(embeddedImage)].map((match) => [match[0], match])).values()];
  const blocks: ContentBlock[] = [];
  let characters = 0;
  for (const [, mimeType = "", data = ""] of images.slice(offset)) {
    const isTooLarge = data.length > imageCharactersMax;
    if (!isTooLarge && characters + data.length > imageCharactersMax) break;
    if (!isTooLarge) characters += data.length;
    blocks.push(
      isTooLarge
        ? toBlock(`${mimeType} of ${data.length} characters is too large to show here.`)
        : { type: "image", mimeType, data },
    );
  }
  const told = { ...source, offset, images: blocks.length, total: images.length };
  return {
    content: [
      toBlock(JSON.stringify({ ...told, ...next(offset + blocks.length, images.length) })),
      ...blocks,
    ],
  };
}

/** Returns the offset of the next slice, or nothing after the last slice. */
function next(end: number, total: number): { readonly next_offset?: number } {
  return end < total ? { next_offset: end } : {};
}

/** Creates a text block for a tool's result. */
export function toBlock(text: string): ContentBlock {
  return { type: "text", text };
}

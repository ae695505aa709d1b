import mimeTypes from "mime-types";

/** Media types of file extensions that mime-db does not list, or lists with a type that browsers do not expect. */
const ownTypes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "text/javascript": "cjs",
    "application/json": "importmap topojson",
    "audio/flac": "flac",
    "text/vnd.graphviz": "dot",
    // Source code and line-based data. Browsers display files of this type, and never run them.
    "text/plain":
      "cts diff frag glsl jsonl mermaid mmd mts ndjson patch prototxt py r rs rst svelte ts tsx vert vue wat",
  }).flatMap(([type, endings]) => endings.split(" ").map((ending) => [ending, type] as const)),
);

/** Returns the content type for a file's extension, with `charset=utf-8` for text. */
export function contentTypeOf(path: string): string {
  const name = storedEncodingOf(path)?.name ?? path;
  const ending = /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  const type = ownTypes.get(ending) ?? mimeTypes.lookup(name);
  return type === false ? "application/octet-stream" : mimeTypes.contentType(type) || type;
}

/** Content encoding of a file that was published compressed, and the file's name without the compression extension. */
export interface StoredEncoding {
  readonly encoding: "br" | "gzip";
  readonly name: string;
}

/** Matches compressed scripts, styles, vector images and data, which pages load. All other compressed files are downloads. */
const compressedName = /^(.+\.(?:[cm]?js|css|data|json|svg|wasm))\.(br|gz)$/i;

/** Recognizes a compressed file that browsers decompress, by its name. Returns undefined for other files. */
export function storedEncodingOf(path: string): StoredEncoding | undefined {
  if (/\.svgz$/i.test(path)) return { encoding: "gzip", name: path.slice(0, -1) };
  const [, name, ending = ""] = compressedName.exec(path) ?? [];
  if (name === undefined) return undefined;
  return { encoding: ending.toLowerCase() === "br" ? "br" : "gzip", name };
}

/** Removes the charset from a content type. */
export function withoutCharset(contentType: string): string {
  return contentType.replace(/; charset=.*$/, "");
}

/** Recognizes the content type of HTML pages. */
export function isHtml(contentType: string): boolean {
  return contentType.startsWith("text/html");
}

/** Recognizes content types of text, which compresses well. */
export function isText(contentType: string): boolean {
  return /^(text\/|(application|image)\/(.+\+)?(javascript|json|xml)\b)/.test(contentType);
}

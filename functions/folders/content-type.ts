import mimeTypes from "mime-types";

/** File extensions whose type on the web differs from mime-db's, or that mime-db lacks. */
const ownTypes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "text/javascript": "cjs",
    "application/json": "importmap topojson",
    "audio/flac": "flac",
    "text/vnd.graphviz": "dot",
    // Sources and line-based data, which browsers display. Browsers never run them.
    "text/plain":
      "cts diff frag glsl jsonl mermaid mmd mts ndjson patch prototxt py r rs rst svelte ts tsx vert vue wat",
  }).flatMap(([type, endings]) => endings.split(" ").map((ending) => [ending, type] as const)),
);

/** The content type of a file by its extension, with `charset=utf-8` for text. */
export function contentTypeOf(path: string): string {
  const name = storedEncodingOf(path)?.name ?? path;
  const ending = /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  const type = ownTypes.get(ending) ?? mimeTypes.lookup(name);
  return type === false ? "application/octet-stream" : mimeTypes.contentType(type) || type;
}

/** The encoding in which a file was compressed before it was published, and its name without the extension for it. */
export interface StoredEncoding {
  readonly encoding: "br" | "gzip";
  readonly name: string;
}

/** Compressed scripts, styles, vector images and data that pages load. Other compressed files are downloads. */
const compressedName = /^(.+\.(?:[cm]?js|css|data|json|svg|wasm))\.(br|gz)$/i;

/** Recognizes a file that browsers decompress, by its name; undefined for other files. */
export function storedEncodingOf(path: string): StoredEncoding | undefined {
  if (/\.svgz$/i.test(path)) return { encoding: "gzip", name: path.slice(0, -1) };
  const [, name, ending = ""] = compressedName.exec(path) ?? [];
  if (name === undefined) return undefined;
  return { encoding: ending.toLowerCase() === "br" ? "br" : "gzip", name };
}

/** The type without its charset. */
export function withoutCharset(contentType: string): string {
  return contentType.replace(/; charset=.*$/, "");
}

/** Recognizes pages. */
export function isHtml(contentType: string): boolean {
  return contentType.startsWith("text/html");
}

/** Recognizes text, which compresses well. */
export function isText(contentType: string): boolean {
  return /^(text\/|(application|image)\/(.+\+)?(javascript|json|xml)\b)/.test(contentType);
}

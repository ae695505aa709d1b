import { isAscii, isUtf8 } from "node:buffer";

/** Number of bytes in which browsers look for a charset declaration (HTML Standard, "prescan a byte stream to determine its encoding"). */
const declarationBytesMax = 1_024;

const byteOrderMarks: readonly (readonly [bytes: readonly number[], charset: string])[] = [
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
];

const inMeta = /<meta[\s/][^>]*?charset\s*=\s*["']?\s*([^\s"'/>;]+)/i;
const inXml = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([^"']+)["']/i;

/** Finds the charset that a page declares by a byte order mark, `meta` or XML declaration, as `TextDecoder` names it. */
function declaredCharset(page: Uint8Array): string | undefined {
  const mark = byteOrderMarks.find(([bytes]) => bytes.every((byte, at) => page[at] === byte));
  if (mark !== undefined) return mark[1];
  const start = Buffer.from(page.subarray(0, declarationBytesMax))
    .toString("latin1")
    .replace(/<!--.*?(?:-->|$)/gs, "");
  const label = inMeta.exec(start)?.[1] ?? inXml.exec(start)?.[1];
  const charset = label && charsetOf(label);
  // A page that declares UTF-16 in ASCII characters is not in UTF-16.
  return charset?.startsWith("utf-16") ? "utf-8" : charset;
}

function charsetOf(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** Finds the charset for serving a page: UTF-8 for valid UTF-8, or else the declared charset. Returns undefined if there is neither. */
export function pageCharset(page: Uint8Array): string | undefined {
  if (isUtf8(page) && !isAscii(page)) return "utf-8";
  return declaredCharset(page) ?? (isAscii(page) ? "utf-8" : undefined);
}

/** Decodes a page like a browser, but keeps its byte order mark. */
export function decodePage(page: Uint8Array): string {
  return new TextDecoder(pageCharset(page) ?? "windows-1252", { ignoreBOM: true }).decode(page);
}

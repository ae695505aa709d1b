import { transcode } from "node:buffer";

/** What was encoded last: a page's size is checked before it is stored, and of a megabyte it takes milliseconds. */
let last: { readonly text: string; readonly bytes: Buffer } | undefined;

/**
 * A text in UTF-8, or undefined where it holds half of a surrogate pair. Node's `transcode` sees that by the way, and
 * takes a quarter of the time of `Buffer.from` where a text is not ASCII alone.
 */
export function encodeUtf8(text: string): Buffer | undefined {
  if (last?.text === text) return last.bytes;
  try {
    const bytes = transcode(Buffer.from(text, "utf16le"), "utf16le", "utf8");
    last = { text, bytes };
    return bytes;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "U_INVALID_CHAR_FOUND") return undefined;
    throw error;
  }
}

/**
 * The same for whoever needs it last: nothing is kept of it. Halves of surrogate pairs become replacement characters, as
 * the Encoding Standard has it.
 */
export function takeUtf8(text: string): Buffer {
  const bytes = encodeUtf8(text) ?? Buffer.from(text);
  last = undefined;
  return bytes;
}

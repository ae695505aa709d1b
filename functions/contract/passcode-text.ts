import { limits } from "./limits.ts";

/** No text has fewer than half as many bytes after NFKC as it had UTF-16 code units before: 𝟗 has two, and becomes 9. */
const unitsPerByteMax = 2;

/**
 * A passcode as it is hashed and compared: in NFKC, so that two keyboards that show the same give the same. Undefined
 * where that is longer than allowed; then it may not have been made, since one character can become eighteen.
 */
export function normalizePasscode(text: string): string | undefined {
  if (text.length > limits.passcodeBytesMax * unitsPerByteMax) return undefined;
  const normalized = text.normalize("NFKC");
  return Buffer.byteLength(normalized) <= limits.passcodeBytesMax ? normalized : undefined;
}

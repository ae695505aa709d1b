/**
 * The style that keeps a page readable on a phone. It is in a cascade layer that is declared first, so any rule of
 * the page wins (CSS Cascading and Inheritance Level 5, section 6.4).
 */
export const safetyNetStyle =
  "<style>@layer dropleaf{" +
  "img,video,canvas,svg,iframe,embed,object{max-width:100%}" +
  "img,video{height:auto}" +
  "body{overflow-wrap:break-word}" +
  "pre{overflow-x:auto}" +
  "}</style>";

/** White space that an editor may have put before the style. */
const whiteSpaceMax = 64;

/**
 * The page with the safety-net style at the offset that was found when it was published; every other byte as it was. A
 * page that was read here, edited and published again has the style there already.
 */
export function addSafetyNet(page: Uint8Array, styleOffset: number): Buffer {
  const bytes = Buffer.from(page.buffer, page.byteOffset, page.byteLength);
  const behind = bytes.subarray(styleOffset, styleOffset + whiteSpaceMax + safetyNetStyle.length);
  if (behind.toString("latin1").trimStart().startsWith(safetyNetStyle)) return bytes;
  return Buffer.concat([
    bytes.subarray(0, styleOffset),
    Buffer.from(safetyNetStyle),
    bytes.subarray(styleOffset),
  ]);
}

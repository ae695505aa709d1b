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

/** The page with the safety-net style at the offset that was found when it was published; every other byte as it was. */
export function addSafetyNet(page: Uint8Array, styleOffset: number): Buffer {
  return Buffer.concat([
    page.subarray(0, styleOffset),
    Buffer.from(safetyNetStyle),
    page.subarray(styleOffset),
  ]);
}

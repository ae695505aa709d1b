/** Whether each word of a search is somewhere in one of the texts, whatever its case and accents. */
export function matchesWords(search: string, texts: readonly (string | null)[]): boolean {
  const words = fold(search)
    .split(/\s+/)
    .filter((word) => word !== "");
  const folded = texts.map((text) => fold(text ?? ""));
  return words.every((word) => folded.some((text) => text.includes(word)));
}

/**
 * A text as it is compared: without what Unicode calls marks, in upper case, which has one form where lower case has several (`ß` and
 * `SS`, the two sigmas).
 */
function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .toUpperCase();
}

/**
 * Combining marks that people leave out when they type: marks that all scripts share, and Hebrew points. Vowel signs of other scripts and
 * kana marks are not included, because they form different letters.
 */
export const optionalMarks = /(?=\p{M})(?![\u3099\u309a])[\p{Script=Inherited}\p{Script=Hebrew}]/gu;

/** White space, control characters, soft hyphens, and zero-width characters. */
const unseen = /[\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Normalizes a text for comparison. Removes accents, white space, invisible characters, and differences in case, width and style.
 * Normalizing two parts of a text separately gives the same result as normalizing the whole text, if the second part begins with a letter.
 *
 * The text is converted to lower case first, then to upper case. There are two lower-case sigmas, and `ẞ` only becomes `SS` if it is
 * converted to lower case first.
 *
 * Pages' texts are stored in this form for 30 days (`pageTextKey`), and framed pages are searched in this form.
 *
 * @example normalizeText("Οδός, Straße") === normalizeText("ΟΔΟΣ,\u00a0STRASSE"); // true
 */
export function normalizeText(text: string): string {
  const folded = text.normalize("NFKD").toLowerCase().toUpperCase().normalize("NFKD");
  return folded.replace(optionalMarks, "").replace(unseen, "");
}

/** Lists the words of a text, each as `normalizeText` returns it. */
export function normalizedWords(text: string): readonly string[] {
  return text
    .split(/\s+/)
    .map(normalizeText)
    .filter((word) => word !== "");
}

/** Returns true if each word of a search is part of one of the given words. */
export function matchesWords(sought: readonly string[], words: readonly string[]): boolean {
  return sought.every((one) => words.some((word) => word.includes(one)));
}

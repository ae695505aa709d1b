/**
 * Combining marks that people may leave out when they type: marks that all scripts share, and Hebrew points. Excludes other scripts' vowel
 * signs and kana marks, which make a different letter.
 */
export const optionalMarks = /(?=\p{M})(?![\u3099\u309a])[\p{Script=Inherited}\p{Script=Hebrew}]/gu;

/** Matches white space, control characters, soft hyphens, and zero-width characters. */
const unseen = /[\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Normalizes a text for comparison. Removes accents, white space, invisible characters, and differences in case, width and style. Two parts
 * of a text may be normalized separately, if the second part begins with a letter.
 *
 * The text is converted to lower case, then to upper case: upper case unites the two lower-case sigmas, and `ẞ` becomes `SS` only by way of
 * lower case.
 *
 * The texts of pages are stored in this form for 30 days (`pageTextKey`), and framed pages are searched in this form.
 *
 * @example normalizeText("Οδός, Straße") === normalizeText("ΟΔΟΣ,\u00a0STRASSE"); // true
 */
export function normalizeText(text: string): string {
  const folded = text.normalize("NFKD").toLowerCase().toUpperCase().normalize("NFKD");
  return folded.replace(optionalMarks, "").replace(unseen, "");
}

/** Lists the words of a text, each normalized by `normalizeText`. */
export function normalizedWords(text: string): readonly string[] {
  return text
    .split(/\s+/)
    .map(normalizeText)
    .filter((word) => word !== "");
}

/** Returns true if each word of a search is contained in one of the given words. */
export function matchesWords(sought: readonly string[], words: readonly string[]): boolean {
  return sought.every((one) => words.some((word) => word.includes(one)));
}

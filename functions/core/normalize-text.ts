/** Marks on letters: those of every script, and the points of Hebrew. Vowel signs of other scripts and marks of kana make other letters. */
const marks = /(?=\p{M})(?![\u3099\u309a])[\p{Script=Inherited}\p{Script=Hebrew}]/gu;

/** White space, control characters, soft hyphens, and characters without a width. */
const unseen = /[\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * The form in which texts are compared: without case, accents, variants of width and style, white space and invisible characters.
 * Two texts in this form, one after the other, are the form of the two joined, wherever a text is split before a letter.
 *
 * Upper case comes last: lower case has two sigmas, and only lower case leads from the capital `ẞ` to `SS`.
 *
 * Pages are stored in this form for 30 days (`pageTextKey`), and framed pages are searched in it.
 *
 * @example
 * normalizeText("Οδός, Straße") === normalizeText("ΟΔΟΣ,\u00a0STRASSE"); // true
 */
export function normalizeText(text: string): string {
  const folded = text.normalize("NFKD").toLowerCase().toUpperCase().normalize("NFKD");
  return folded.replace(marks, "").replace(unseen, "");
}

/** The words of a text in the same form. */
export function normalizedWords(text: string): readonly string[] {
  return text
    .split(/\s+/)
    .map(normalizeText)
    .filter((word) => word !== "");
}

/** Matches each sought word with a part of one of the words. */
export function matchesWords(sought: readonly string[], words: readonly string[]): boolean {
  return sought.every((one) => words.some((word) => word.includes(one)));
}

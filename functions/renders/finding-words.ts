/** At most so many are named; the rest is counted. */
const namedMax = 3;

/** At most so much of a text that the page itself has is repeated in a sentence, in code points. */
const shownCharactersMax = 200;

/** `one`, `one and other`, `one, other and third`. */
export function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}

/** A number of things: `1 image`, `2 images`. */
export function times(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? `1 ${one}` : `${count} ${many}`;
}

/**
 * Selectors or addresses as code, the first of them by name. A page that has made one up of quotes, controls or line ends says
 * no sentence of its own with it.
 */
export function elements(names: readonly string[], count = names.length): string {
  const shown = names.slice(0, namedMax).map((name) => `\`${harmless(name).replaceAll("`", "'")}\``);
  const rest = count - shown.length;
  return listed([...shown, ...(rest > 0 && shown.length > 0 ? [`${rest} more`] : [])]);
}

/** A text of the page's own, as what it says and not as what is said of it. */
export function quoted(text: string): string {
  return `“${harmless(text).replaceAll(/[“”]/g, '"')}”`;
}

/** One line without what nobody sees, cut off where it is long. */
function harmless(text: string): string {
  const characters = [
    ...text
      .toWellFormed()
      .replaceAll(/[\p{C}\p{Z}]+/gu, " ")
      .trim(),
  ];
  return characters.length > shownCharactersMax
    ? `${characters.slice(0, shownCharactersMax).join("")}…`
    : characters.join("");
}

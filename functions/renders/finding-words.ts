import type { AccessibilityFinding } from "./report.ts";

/** Maximum number of names in one sentence. Further names are only counted. */
const namedMax = 3;

/** Maximum length of a text quoted from the page, in code points. */
const shownCharactersMax = 200;

/** Joins names into a phrase: `one`, `one and other`, `one, other and third`. */
export function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}

/** Writes a number with the singular or plural: `1 image`, `2 images`. */
export function times(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? `1 ${one}` : `${count} ${many}`;
}

/**
 * Lists the first selectors or URLs as code, and counts the rest. Replaces backticks, control characters and line ends, so that a page
 * cannot insert a sentence of its own.
 */
export function elements(names: readonly string[], count = names.length): string {
  const shown = names.slice(0, namedMax).map((name) => `\`${harmless(name).replaceAll("`", "'")}\``);
  const rest = count - shown.length;
  return listed([...shown, ...(rest > 0 && shown.length > 0 ? [`${rest} more`] : [])]);
}

/** Quotes a text from the page. */
export function quoted(text: string): string {
  return `“${harmless(text).replaceAll(/[“”]/g, '"')}”`;
}

/** Puts a text on one line, removes invisible characters, and truncates it. */
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

/** Phrases for a broken rule: the problem of one element, the problem of several elements, and the remedy. */
interface RuleWords {
  readonly one: readonly [before: string, after: string];
  readonly many: readonly [what: string, wrong: string];
  readonly way: string;
}

/** Phrases for the rules that pages break most often; see "Rule Descriptions", axe-core. */
const ruleWords: Readonly<Record<string, RuleWords | undefined>> = {
  "image-alt": {
    one: ["The image", "has no alternative text"],
    many: ["images", "have no alternative text"],
    way: 'Describe it in alt, or write alt="" if it is decoration.',
  },
  "color-contrast": {
    one: ["The text of", "has too little contrast with its background"],
    many: ["texts", "have too little contrast with their background"],
    way: "The contrast must be 4.5 to 1, or 3 to 1 for large text.",
  },
  "button-name": {
    one: ["The button", "has no name"],
    many: ["buttons", "have no name"],
    way: "Add a text or an aria-label.",
  },
  "link-name": {
    one: ["The link", "has no name"],
    many: ["links", "have no name"],
    way: "Add a text or an aria-label.",
  },
  label: {
    one: ["The field", "has no label"],
    many: ["fields", "have no label"],
    way: "Add a label element or an aria-label.",
  },
  "frame-title": {
    one: ["The frame", "has no title"],
    many: ["frames", "have no title"],
    way: "Describe its content in title.",
  },
  "scrollable-region-focusable": {
    one: ["The scrolled part", "cannot be reached with the keyboard"],
    many: ["scrolled parts", "cannot be reached with the keyboard"],
    way: 'Add tabindex="0".',
  },
};

/** Sentences for rules about an element that a page has only once. */
const pageWords: Readonly<Record<string, string | undefined>> = {
  "document-title": "The page has no title element",
  "html-has-lang": "The html element has no lang attribute for its language",
};

/** Writes a sentence about a broken accessibility rule and the elements that break it. */
export function accessibilitySentence({ rule, help, count, selectors }: AccessibilityFinding): string {
  const ofPage = pageWords[rule];
  if (ofPage !== undefined) return `${ofPage} (${rule}).`;
  const words = ruleWords[rule];
  const named = elements(selectors, count);
  if (words === undefined) {
    return `${count === 1 ? "1 element breaks" : `${count} elements break`} the rule ${quoted(help)} (${rule}): ${named}.`;
  }
  const { one, many, way } = words;
  const wrong =
    count === 1 ? `${one[0]} ${named} ${one[1]} (${rule})` : `${count} ${many.join(" ")} (${rule}): ${named}`;
  return `${wrong}. ${way}`;
}

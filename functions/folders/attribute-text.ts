/** A text in which some characters are written as references or escapes, with the written offset of each character. */
export interface WrittenText {
  readonly text: string;
  /** Offset of a character in the written form. The text's length gives the offset of its end. */
  readonly offsetAt: (index: number) => number;
  /** The text has escapes, so it can only be replaced as a whole. @default false */
  readonly isEscaped?: boolean;
}

/** A text without references or escapes. */
export function plainText(text: string): WrittenText {
  return { text, offsetAt: same };
}

function same(index: number): number {
  return index;
}

/** Named references that are common in addresses and styles. */
const named: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  colon: ":",
  gt: ">",
  lt: "<",
  num: "#",
  period: ".",
  quest: "?",
  quot: '"',
  sol: "/",
};

const reference = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,6})(?=;));?/gi;

/**
 * Decodes the character references of an attribute's value, in which each byte is a character. A reference beyond ASCII becomes its bytes
 * in UTF-8. An unknown name stays unchanged.
 */
export function decodeAttribute(written: string): WrittenText {
  if (!written.includes("&")) return plainText(written);
  let text = "";
  let from = 0;
  const offsets: number[] = [];
  const take = (piece: string, start: number, isReference: boolean) => {
    for (let index = 0; index < piece.length; index += 1) offsets.push(start + (isReference ? 0 : index));
    text += piece;
  };
  for (const match of written.matchAll(reference)) {
    const [whole, decimal, hex, name] = match;
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    const character = name === undefined ? characterOf(code) : named[name];
    if (character === undefined) continue;
    take(written.slice(from, match.index), from, false);
    take(character, match.index, true);
    from = match.index + whole.length;
  }
  take(written.slice(from), from, false);
  return { text, offsetAt: (index) => offsets[index] ?? written.length };
}

function characterOf(code: number): string | undefined {
  if (!(code > 0 && code <= 0x10ffff)) return undefined;
  return Buffer.from(String.fromCodePoint(code)).toString("latin1");
}

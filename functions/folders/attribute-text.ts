/** A text whose characters are written as references or escapes in some places, with the offset at which each is written. */
export interface WrittenText {
  readonly text: string;
  /** Offset of a character of the text in its written form; of the end for the text's length. */
  readonly offsetAt: (index: number) => number;
  /** It is replaced as a whole, since it has escapes. @default false */
  readonly isEscaped?: boolean;
}

/** A text that is written as it is. */
export function plainText(text: string): WrittenText {
  return { text, offsetAt: same };
}

function same(index: number): number {
  return index;
}

/** Named references without which few addresses and styles are written. */
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
 * Decodes the character references of an attribute's value, each byte a character: a reference beyond ASCII becomes the bytes of UTF-8. An
 * unknown name stays as it is written.
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

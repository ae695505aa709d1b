/** Text of an attribute or a style, with character references and escapes decoded. */
export interface WrittenText {
  readonly text: string;
  /** Converts an index in the decoded text to an offset in the source. The index may equal the text's length. */
  readonly offsetAt: (index: number) => number;
  /** True if the source contains escapes, so the text can only be replaced as a whole. @default false */
  readonly isEscaped?: boolean;
}

/** Wraps a text whose source contains no references or escapes. */
export function plainText(text: string): WrittenText {
  return { text, offsetAt: same };
}

function same(index: number): number {
  return index;
}

/** Named character references that are common in addresses and styles. */
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

/** Decodes the character references in a value that was decoded as Latin-1. Characters beyond ASCII become their UTF-8 bytes. */
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

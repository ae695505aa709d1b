import { plainText, type WrittenText } from "./attribute-text.ts";

/** An address and its position in a text, without the quotes. */
export interface AddressSpan {
  readonly start: number;
  readonly end: number;
  readonly written: WrittenText;
  /** True for an address in a custom property, whose base may be another style sheet's address. @default false */
  readonly isInVariable?: boolean;
}

/**
 * Matches comments, strings and the starts of addresses (CSS Syntax Module Level 3, section 4). An unclosed comment extends to the end of
 * the style, an unclosed string to the end of its line. No other token contains an address.
 */
const starts = String.raw`\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n\r\f]|\\[\s\S])*"?|'(?:[^'\\\n\r\f]|\\[\s\S])*'?|(?<![\w\x80-\xff-])(?:url\([\t\n\f\r ]*|(?:-webkit-)?image-set\(|@import(?![\w-]))`;
const tokens = new RegExp(starts, "gi");
/** Matches the same tokens within `image-set()`, and the characters that open or close a block. In `image-set()`, strings are addresses too. */
const tokensOfSet = new RegExp(`${starts}|[(){};]`, "gi");

const unquoted = /(?:[^)\\\t\n\f\r "'(]|\\[\da-f]{1,6}[\t\n\f\r ]?|\\[\s\S])*/iy;

const blank = /^[\t\n\f\r ]*$/;

/** Lists the addresses in a style: in `url()`, `@import` and `image-set()`. The style is decoded as Latin-1. */
export function cssAddresses(css: string): AddressSpan[] {
  const found: AddressSpan[] = [];
  const add = (start: number, end: number) =>
    found.push({ start, end, written: unescapeCss(css, start, end), isInVariable: isInVariable(css, start) });
  let addressAt = -1;
  let importEnd = -1;
  /** Number of open parentheses since the start of an `image-set()`. */
  let depth = 0;
  for (let at = 0; ; ) {
    const pattern = depth > 0 ? tokensOfSet : tokens;
    pattern.lastIndex = at;
    const match = pattern.exec(css);
    if (match === null) return found;
    const [token] = match;
    const end = match.index + token.length;
    at = end;
    const first = token.charAt(0);
    const isImported = importEnd !== -1 && blank.test(css.slice(importEnd, match.index));
    if (first === "/") importEnd = isImported ? end : -1;
    else if (first === "@") importEnd = end;
    else importEnd = -1;
    if (first === '"' || first === "'") {
      const isClosed = token.length > 1 && token.endsWith(first);
      if (isImported || addressAt === match.index || depth > 0)
        add(match.index + 1, isClosed ? end - 1 : end);
    } else if (/[;{}]/.test(first)) depth = 0;
    else if (first === ")") depth -= 1;
    else if (first === "(") depth += 1;
    else if (/^u/i.test(first)) {
      if (depth > 0) depth += 1;
      addressAt = end;
      if (/["']/.test(css.charAt(end))) continue;
      unquoted.lastIndex = end;
      const length = unquoted.exec(css)?.[0].length ?? 0;
      add(end, end + length);
      at = end + length;
    } else if (/^[i-]/i.test(first)) depth += 1;
  }
}

/** Maximum distance between the start of a declaration and an address in it, in characters. */
const declarationMax = 300;

function isInVariable(css: string, at: number): boolean {
  if (css.charAt(at) !== "/") return false;
  let start = at;
  while (start > 0 && at - start < declarationMax && !";{}".includes(css.charAt(start - 1))) start -= 1;
  return /^[\t\n\f\r ]*--/.test(css.slice(start, at));
}

const escapes = /\\(?:([\da-f]{1,6})(?:\r\n|[\t\n\f\r ])?|(\r\n|[\s\S]))/gi;

/** Decodes the escapes of a string or address (CSS Syntax Module Level 3, section 4.3.7). */
function unescapeCss(css: string, start: number, end: number): WrittenText {
  const written = css.slice(start, end);
  if (!written.includes("\\")) return plainText(written);
  const text = written.replace(escapes, (_, hex: string | undefined, plain: string) => {
    if (hex === undefined) return /[\n\r\f]/.test(plain) ? "" : plain;
    const code = Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? Buffer.from(String.fromCodePoint(code)).toString("latin1") : "";
  });
  return { text, offsetAt: (index) => (index === 0 ? 0 : written.length), isEscaped: true };
}

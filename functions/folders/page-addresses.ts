import { Tokenizer } from "htmlparser2";
import { decodeAttribute, plainText, type WrittenText } from "./attribute-text.ts";
import { type AddressSpan, cssAddresses } from "./css-addresses.ts";

/** Value of an attribute as written in the page, with its start and end offset. */
export interface Attribute {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

/** A start tag. If an attribute is repeated, only the first value is used. */
export interface StartTag {
  readonly name: string;
  /** Offset after the tag name. */
  readonly nameEnd: number;
  readonly attributes: ReadonlyMap<string, Attribute>;
  /** The tag's addresses, including those in the `style` attribute. */
  readonly addresses: readonly PageAddress[];
}

/** An address in a page. */
export interface PageAddress extends AddressSpan {
  /** The attribute with the address. @default - the address is in a `style` element or an import map */
  readonly attribute?: string;
}

/** Receives the parts of a page in document order. Offsets are in bytes. */
export interface PageVisitor {
  onTag?(tag: StartTag): void;
  onEndTag?(name: string): void;
  onContentAddresses?(addresses: readonly PageAddress[]): void;
  onScript?(start: number, end: number): void;
  /** Receives the position of a text outside scripts and styles. Its character references are not decoded. */
  onText?(start: number, end: number): void;
  onComment?(start: number, end: number): void;
  /** Called if the page ends within a tag, comment, script or style. Receives the offset at which the incomplete part starts. */
  onUnfinished?(start: number): void;
}

const plainAttributes = new Set("action background formaction href poster src xlink:href".split(" "));
const setAttributes = new Set(["imagesrcset", "srcset"]);

/** Visits the parts of a page. The page must be decoded as Latin-1, so that offsets are byte offsets. Tags and addresses are ASCII. */
export function visitPage(page: string, ...visitors: readonly PageVisitor[]): void {
  let name = "";
  let nameEnd = 0;
  let attributes = new Map<string, Attribute>();
  let attribute = "";
  let isEndTag = false;
  let content: { readonly kind: "style" | "importmap" | "script"; readonly start: number } | undefined;
  /** End of the last complete part. The tokenizer does not report an incomplete tag. */
  let reportedEnd = 0;
  let openAt: number | undefined;
  const closeContent = (end: number) => {
    if (content === undefined) return;
    const { kind, start } = content;
    content = undefined;
    if (kind === "script") {
      for (const visitor of visitors) visitor.onScript?.(start, end);
      return;
    }
    const text = page.slice(start, end);
    const spans = kind === "style" ? cssAddresses(text) : importMapAddresses(text);
    const addresses = spans.map((span) => ({ ...span, start: start + span.start, end: start + span.end }));
    for (const visitor of visitors) visitor.onContentAddresses?.(addresses);
  };
  const onTagEnd = (end: number) => {
    reportedEnd = end + 1;
    openAt = undefined;
    if (isEndTag) return;
    const tag = { name, nameEnd, attributes, addresses: addressesOf(name, attributes) };
    for (const visitor of visitors) visitor.onTag?.(tag);
    const kind = contentKindOf(name, attributes);
    if (kind !== undefined) content = { kind, start: end + 1 };
  };
  const setValue = (start: number, end: number) => {
    if (!attributes.has(attribute)) attributes.set(attribute, { start, end, value: page.slice(start, end) });
  };
  let hasData = false;
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: false },
    {
      onattribdata: (start, end) => {
        hasData = true;
        setValue(start, end);
      },
      onattribend: (_quote, end) => {
        if (!hasData) setValue(end, end);
      },
      onattribentity() {},
      onattribname: (start, end) => {
        hasData = false;
        attribute = page.slice(start, end).toLowerCase();
      },
      oncdata() {},
      onclosetag: (start, end) => {
        reportedEnd = end;
        closeContent(start - 2);
        isEndTag = true;
        const endTag = page.slice(start, end).toLowerCase();
        for (const visitor of visitors) visitor.onEndTag?.(endTag);
      },
      oncomment: (start, end, endOffset) => {
        reportedEnd = end;
        for (const visitor of visitors) visitor.onComment?.(start, end - endOffset);
        if (end >= page.length) openAt = start;
      },
      ondeclaration: (_start, end) => {
        reportedEnd = end;
      },
      onend() {},
      onopentagend: onTagEnd,
      onopentagname: (start, end) => {
        openAt = start - 1;
        name = page.slice(start, end).toLowerCase();
        nameEnd = end;
        attributes = new Map();
        isEndTag = false;
      },
      onprocessinginstruction() {},
      onselfclosingtag: onTagEnd,
      ontext: (start, end) => {
        reportedEnd = end;
        if (content === undefined) for (const visitor of visitors) visitor.onText?.(start, end);
      },
      ontextentity() {},
    },
  );
  tokenizer.write(page);
  tokenizer.end();
  openAt ??= content?.start ?? unfinishedTagAt(page, reportedEnd);
  closeContent(page.length);
  if (openAt !== undefined) for (const visitor of visitors) visitor.onUnfinished?.(openAt);
}

/** Returns the offset of a tag with an incomplete name at the end of a page. The end of the last complete tag may come first. */
function unfinishedTagAt(page: string, reportedEnd: number): number | undefined {
  const at = page.indexOf("<", reportedEnd);
  return at !== -1 && /^[\s>]*$/.test(page.slice(reportedEnd, at)) ? at : undefined;
}

function contentKindOf(
  name: string,
  attributes: ReadonlyMap<string, Attribute>,
): "style" | "importmap" | "script" | undefined {
  if (name === "style") return "style";
  if (name !== "script") return undefined;
  return attributes.get("type")?.value.trim().toLowerCase() === "importmap" ? "importmap" : "script";
}

const none: readonly PageAddress[] = [];

function addressesOf(name: string, attributes: ReadonlyMap<string, Attribute>): readonly PageAddress[] {
  let found: PageAddress[] | undefined;
  for (const [attribute, { start, end, value }] of attributes) {
    const read = readerOf(name, attribute, attributes);
    if (read === undefined) continue;
    const written = decodeAttribute(value);
    found ??= [];
    for (const span of read(written.text)) {
      const from = start + written.offsetAt(span.start);
      const to = Math.min(start + written.offsetAt(span.end), end);
      found.push({ ...span, attribute, start: from, end: to, written: composed(written, span) });
    }
  }
  return found ?? none;
}

/** Maps the offsets of an address inside a text that contains character references. */
function composed(outer: WrittenText, { start, written }: AddressSpan): WrittenText {
  if (start === 0 && outer.text === written.text) return outer;
  const from = outer.offsetAt(start);
  return { ...written, offsetAt: (index) => outer.offsetAt(start + written.offsetAt(index)) - from };
}

type Reader = (text: string) => readonly AddressSpan[];

function readerOf(
  tag: string,
  attribute: string,
  attributes: ReadonlyMap<string, Attribute>,
): Reader | undefined {
  if (plainAttributes.has(attribute) || (attribute === "data" && tag === "object")) return readWhole;
  if (setAttributes.has(attribute)) return readSet;
  if (attribute === "style") return cssAddresses;
  const isRefresh = attribute === "content" && tag === "meta" && isRefreshing(attributes);
  return isRefresh ? readRefresh : undefined;
}

function isRefreshing(attributes: ReadonlyMap<string, Attribute>): boolean {
  return attributes.get("http-equiv")?.value.trim().toLowerCase() === "refresh";
}

function plain(text: string, start: number, end: number): AddressSpan {
  return { start, end, written: plainText(text.slice(start, end)) };
}

const readWhole: Reader = (text) => [plain(text, 0, text.length)];

/** Lists the addresses of image candidates (HTML Standard, "Srcset attributes"). */
const readSet: Reader = (text) => {
  const found: AddressSpan[] = [];
  const candidate = /[\t\n\f\r ,]*([^\t\n\f\r ]+)/y;
  const descriptors = /(?:[^,(]|\([^)]*(?:\)|$))*/y;
  for (let match = candidate.exec(text); match !== null; match = candidate.exec(text)) {
    const address = match[1] ?? "";
    const start = candidate.lastIndex - address.length;
    const bare = address.replace(/(?<!,),+$/, "");
    found.push(plain(text, start, start + bare.length));
    if (bare.length < address.length) continue;
    descriptors.lastIndex = candidate.lastIndex;
    candidate.lastIndex += descriptors.exec(text)?.[0].length ?? 0;
  }
  return found;
};

/** Finds the address in a `meta` refresh (HTML Standard, "shared declarative refresh steps"). */
const readRefresh: Reader = (text) => {
  const [before, quote = ""] =
    /^[\t\n\f\r ]*[\d.]+[\t\n\f\r ]*[;,]?[\t\n\f\r ]*(?:url[\t\n\f\r ]*=[\t\n\f\r ]*)?(["']?)/i.exec(text) ??
    [];
  if (before === undefined) return [];
  const close = quote === "" ? -1 : text.indexOf(quote, before.length);
  return [plain(text, before.length, close === -1 ? text.length : close)];
};

/** Lists the addresses and scope prefixes in an import map (HTML Standard, "Import maps"), but not the module specifiers. */
const importMapAddresses: Reader = (text) => {
  const found: AddressSpan[] = [];
  const path: string[] = [];
  let key = "";
  for (const match of text.matchAll(/"(?:[^"\\]|\\[\s\S])*"|[{}]/g)) {
    const [token] = match;
    const end = match.index + token.length;
    if (token === "{") path.push(key);
    else if (token === "}") path.pop();
    else {
      const isKey = /^[\t\n\r ]*:/.test(text.slice(end, end + keyGapMax));
      const value = stringOf(token);
      if (isKey) key = value;
      const isAddress = isKey
        ? path.length === 2 && /^(scopes|integrity)$/.test(path[1] ?? "")
        : path[1] !== "integrity";
      if (!isAddress || path.length < 2) continue;
      const offsetAt = (index: number) => (index === 0 ? 0 : token.length - 2);
      const span = plain(text, match.index + 1, end - 1);
      found.push(
        token.includes("\\") ? { ...span, written: { text: value, offsetAt, isEscaped: true } } : span,
      );
    }
  }
  return found;
};

const keyGapMax = 64;

function stringOf(token: string): string {
  try {
    return JSON.parse(token);
  } catch {
    return "";
  }
}

import { lostReasonOf } from "./lost-address.ts";
import { type PageAddress, type PageVisitor, type StartTag, visitPage } from "./page-addresses.ts";

/** A page to check, decoded as Latin-1 so that each character represents one byte. */
export interface CheckedPage {
  readonly text: string;
  /** The page's path in its folder. @default - a single page */
  readonly path?: string | undefined;
  /** Markdown source of the page. Warnings give its line numbers. @default - the page was sent as HTML */
  readonly source?: string | undefined;
  /** Recognizes hosts of this service, so that the addresses of a locally running service are not reported. */
  readonly isOwnHost?: (host: string) => boolean;
  /** Returns true for a relative address without a file in the page's folder. @default - no relative address has a file */
  readonly isAbsent?: (address: string) => boolean;
}

/** Elements that contain code, formulas or quotations. */
const quoting = new Set([
  ...["annotation", "code", "kbd", "listing", "math", "noscript", "plaintext", "pre", "samp"],
  ...["template", "textarea", "tt", "var", "xmp"],
]);

/** Elements whose content browsers do not load. */
const inert = new Set(["noscript", "template"]);

const loadingRelations = /\b(?:stylesheet|icon|apple-touch-icon|preload|modulepreload|manifest)\b/i;

/** Matches placeholders that a script or a template fills in. */
const filledIn = /\{\{|\{%|\$\{|<%|^\{/;

/** Matches template syntax, but not record types in manuals, such as `{{x: number}}`. */
const templateText =
  /\{\{[{~#^/>&-]?[ \t]?(?!\w{1,40}[ \t]?:)[A-Za-z_][^{}<>\\\n]{0,80}\}\}|\{%-?[ \t]{0,4}(?:if|for|block|extends|include|set|load|url|end[a-z]{2,9})\b[^%{}<>\n]{0,80}%\}|<%[=-]?[ \t]{0,4}[\w@][^<>\n]{0,80}%>/g;

/** Matches code of inline scripts that writes text into the page. */
const writesText =
  /\{\{|\b(?:innerHTML|outerHTML|innerText|textContent|nodeValue|createTreeWalker|replaceWith|write|import|Vue|createApp|Alpine|angular)\b/;

const jsxText = /\{[\w.?]{1,60}\.map\(\(?[\w{]/;

/** Matches attributes that often have an expression in braces as their value in JSX. */
const jsxAttribute = /^(?:on[a-z]{3,30}|style|class|classname|key|ref|src|href|value|checked|disabled|id)$/;

/** Matches a bracket, dot or dash at the start or end of a remark. Bytes from \x80 belong to an ellipsis or a dash in UTF-8. */
const edge = "[\\t\\n\\r .()*/#\\x80-\\xff\\[\\]{}-]";
const edges = new RegExp(`^${edge}+|${edge}+$`, "g");

const part =
  "html|page|code|content|file|document|body|markup|sections?|styles?|css|script|javascript|existing code";

/** Matches remarks that replace omitted content, such as "rest of the page unchanged". */
const elisions = [
  new RegExp(
    `^(?:the )?(?:rest|remainder)(?: of (?:the |your |this )?(?:${part}))?(?: is| are| remains?| stays?)? ?(?:the same|unchanged|omitted|as before|identical|goes here|here)(?: as before)?$`,
  ),
  new RegExp(
    `^(?:insert |paste |put )?(?:the |your )?(?:full|complete|entire|whole|remaining)(?: existing| original| html)? (?:${part})(?: goes| stays| remains)? (?:here|unchanged|omitted|as before)$`,
  ),
];

const unfinishedCharactersMax = 60;

/** Minimum and maximum length of a remark such as "rest of the page unchanged", in characters. */
const remarkCharactersMin = "rest here".length;
const remarkCharactersMax = 120;

type AddMistake = (mistake: Mistake, start: number, shown: string, count?: number) => void;

/** Counts the occurrences of one kind of mistake, and stores the first. */
class Places {
  count = 0;
  start = 0;
  shown = "";

  add(start: number, shown: string): void {
    if (this.count === 0) Object.assign(this, { start, shown });
    this.count += 1;
  }
}

/** Checks a page for mistakes while it is parsed once. */
class PageCheck implements PageVisitor {
  readonly #page: CheckedPage;
  readonly #add: AddMistake;
  /** Number of open elements in `quoting`, and of those in `inert`. */
  #quotes = 0;
  #inert = 0;
  /** Occurrences of template syntax. They are mistakes unless a script can fill them in. */
  readonly #templates = new Places();
  #isFilledIn = false;
  /** Texts between two tags that consist of escaped line breaks, such as `\n`. */
  readonly #breaks = new Places();
  #break: { readonly start: number; readonly shown: string; readonly opening: string } | undefined;
  /** Remarks without brackets or dots. A remark counts as a mistake only if the page has no other text. */
  readonly #bareRemarks = new Places();
  #texts = 0;
  /** Name of the start tag directly before the current text. Empty if the text does not follow a start tag. */
  #opening = "";

  constructor(page: CheckedPage, add: AddMistake) {
    this.#page = page;
    this.#add = add;
  }

  onTag(tag: StartTag): void {
    this.#endBreak(false);
    const { name } = tag;
    this.#opening = name;
    if (this.#inert === 0) this.#checkAddresses(tag);
    if (this.#quotes === 0) this.#checkAttributes(tag);
    if (quoting.has(name)) this.#quotes += 1;
    if (inert.has(name)) this.#inert += 1;
    if (name === "script") this.#isFilledIn ||= tag.attributes.has("src");
  }

  onEndTag(name: string): void {
    this.#endBreak(true);
    this.#opening = "";
    if (quoting.has(name)) this.#quotes = Math.max(0, this.#quotes - 1);
    if (inert.has(name)) this.#inert = Math.max(0, this.#inert - 1);
  }

  onContentAddresses(addresses: readonly PageAddress[]): void {
    if (this.#inert === 0) for (const address of addresses) this.#checkAddress(address);
  }

  onScript(start: number, end: number): void {
    this.#isFilledIn ||= writesText.test(this.#page.text.slice(start, end));
  }

  onText(start: number, end: number): void {
    // Skips very short texts, because a malicious page may contain millions of them.
    if (this.#quotes > 0 || end - start < 2) return;
    const text = this.#page.text.slice(start, end);
    if (text.trim() === "") return;
    const opening = this.#opening;
    if (opening !== "title") this.#texts += 1;
    if (opening !== "a") this.#checkElision(start, text, this.#bareRemarks);
    if (this.#page.source !== undefined) return;
    if (text.includes("\\n") && isOnlyBreaks(text)) this.#break = { start, shown: text, opening };
    if (!text.includes("{") && !text.includes("<%")) return;
    for (const match of text.matchAll(templateText)) this.#templates.add(start + match.index, match[0]);
    const jsx = jsxText.exec(text);
    if (jsx !== null) this.#add("jsx", start + jsx.index, jsx[0]);
  }

  onComment(start: number, end: number): void {
    if (this.#quotes > 0) return;
    const text = this.#page.text.slice(start, end);
    // Browsers parse PHP as a comment.
    if (/^\?(?:php|=)/.test(text)) this.#add("template", start, `<${text}>`);
    else this.#checkElision(start, text);
  }

  onUnfinished(start: number): void {
    if (this.#page.source === undefined)
      this.#add("unfinished", start, this.#page.text.slice(start, start + unfinishedCharactersMax));
  }

  end(): void {
    this.#endBreak(false);
    const { text, path } = this.#page;
    if (path === undefined && !/<[a-z!/][^<>]*>/i.test(text)) this.#add("untagged", 0, "");
    const add = (mistake: Mistake, { count, start, shown }: Places) => {
      if (count > 0) this.#add(mistake, start, shown, count);
    };
    if (!this.#isFilledIn) add("template", this.#templates);
    if (this.#texts === 1) add("elision", this.#bareRemarks);
    // A single escape sequence may be intended, such as in a table of escape sequences.
    if (this.#breaks.count > 1) add("escaped", this.#breaks);
  }

  /** Counts an escaped line break as a mistake, unless it is the whole text of an element. */
  #endBreak(isEndTag: boolean): void {
    if (this.#break !== undefined && !(isEndTag && this.#break.opening !== ""))
      this.#breaks.add(this.#break.start, this.#break.shown);
    this.#break = undefined;
  }

  /** Records a remark that replaces omitted content. A remark without brackets or dots may be a heading, so it is added to `bare`. */
  #checkElision(start: number, written: string, bare?: Places): void {
    if (written.length < remarkCharactersMin || written.length > 4 * remarkCharactersMax) return;
    const trimmed = written.trim();
    const remark = trimmed.replace(edges, "");
    if (remark.length > remarkCharactersMax || !/unchanged|omitted|here|same|as before/i.test(remark)) return;
    const words = remark.toLowerCase().replace(/\s+/g, " ");
    if (!elisions.some((pattern) => pattern.test(words))) return;
    if (bare !== undefined && remark === trimmed) bare.add(start, trimmed);
    else this.#add("elision", start, trimmed);
  }

  #checkAttributes({ name, attributes }: StartTag): void {
    if (this.#page.source !== undefined) return;
    const { text } = this.#page;
    for (const [attribute, { start, end, value }] of attributes) {
      const isUnquoted = text.charAt(start - 1) === "=";
      const quote = isUnquoted ? 0 : 1;
      const shown = text.slice(start - quote - 1 - attribute.length, end + quote);
      if (isUnquoted && /^\\["']/.test(value)) this.#add("escaped", start, shown);
      else if (isJsx(attribute, value, isUnquoted) && !name.includes("-")) this.#add("jsx", start, shown);
      else if (/^(?:src|href)$/.test(attribute) && /^(?:\{\{|<%)/.test(value))
        this.#templates.add(start, shown);
    }
  }

  #checkAddresses({ name, attributes, addresses }: StartTag): void {
    if (name === "a" || name === "area" || name === "base" || name === "form") return;
    if (name === "link" && !loadingRelations.test(attributes.get("rel")?.value ?? "")) return;
    for (const address of addresses) {
      const { attribute } = address;
      if (attribute === "action" || attribute === "formaction" || attribute === "content") continue;
      this.#checkAddress(address);
    }
  }

  #checkAddress({ start, written: { text: address } }: PageAddress): void {
    const trimmed = address.trim();
    if (trimmed === "" || trimmed.startsWith("#") || filledIn.test(trimmed)) return;
    const { isOwnHost, isAbsent } = this.#page;
    const reason = lostReasonOf(trimmed);
    if (reason === "scheme" || (reason === "local-host" && !isOwnHost?.(hostOf(trimmed))))
      this.#add("local", start, trimmed);
    else if (isAbsent === undefined) {
      if (isBesideAlone(trimmed)) this.#add("alone", start, trimmed);
    } else if (isAbsent(trimmed)) this.#add("absent", start, trimmed);
  }
}

function isJsx(attribute: string, value: string, isUnquoted: boolean): boolean {
  if (attribute === "classname" || attribute === "htmlfor") return true;
  if (!isUnquoted || !value.startsWith("{") || !jsxAttribute.test(attribute)) return false;
  return attribute === "style" || !/^\{[{%#]/.test(value);
}

function isOnlyBreaks(text: string): boolean {
  return text.replace(/\\[nrt]/g, "").trim() === "";
}

function hostOf(address: string): string {
  return URL.parse(address, "https://host.invalid")?.host ?? "";
}

const pagePath = "/p/aaaaaaa/raw";

/** Paths of the service on an owner's host, or below the owner's path on stacks without owners' hosts. */
const servicePath = /^\/(?:@[a-z0-9-]{1,63}\/)?(?:b\/[A-Za-z0-9]{7}|p\/(?!aaaaaaa\/)[A-Za-z0-9]{7}|d\/)/;

/** Recognizes an address that does not exist on a single page's own host. */
function isBesideAlone(address: string): boolean {
  const url = URL.parse(address, `https://host.invalid${pagePath}`);
  if (url?.protocol !== "https:" || url.host !== "host.invalid") return false;
  return url.pathname !== pagePath && !servicePath.test(url.pathname);
}

/** Number of occurrences of a mistake, and the position of the first. */
export interface Finding {
  readonly count: number;
  /** Path of the page in its folder. @default - a single page */
  readonly path: string | undefined;
  /** Line of the mistake. @default - not found in the page's Markdown source */
  readonly line: number | undefined;
  readonly shown: string;
}

const shownCharactersMax = 100;

/** Collects the mistakes in pages. Stores the first occurrence of each kind. */
export class Mistakes {
  readonly #found = new Map<Mistake, Finding>();

  /** Checks a page, and calls other visitors during the same parse. */
  check(page: CheckedPage, ...others: readonly PageVisitor[]): void {
    const check = new PageCheck(page, (...found) => this.#add(page, ...found));
    visitPage(page.text, check, ...others);
    check.end();
  }

  warnings(): readonly string[] {
    return Object.entries(sentences).flatMap(([mistake, describe]) => {
      const found = this.#found.get(mistake as Mistake);
      return found === undefined ? [] : [describe(found)];
    });
  }

  #add({ text, path, source }: CheckedPage, mistake: Mistake, start: number, shown: string, count = 1): void {
    const before = this.#found.get(mistake);
    if (before !== undefined) {
      this.#found.set(mistake, { ...before, count: before.count + count });
      return;
    }
    const at = source === undefined ? start : source.indexOf(shown);
    const line = at === -1 ? undefined : (source ?? text).slice(0, at).split("\n").length;
    this.#found.set(mistake, { count, path, line, shown: shownText(shown.trim()) });
  }
}

/** Mistakes that readers would notice, each with its warning, in the order of the warnings. */
const sentences = {
  untagged: () =>
    "html has no tags: readers see it as one line of text. Publish the page's HTML itself, not a path, a URL, escaped text or base64. Convert Markdown to HTML, or publish it as text/markdown.",
  unfinished: (found) =>
    `The page ends inside a tag, comment, script or style: ${placesOf(found)}. It was probably cut off. Send the whole page.`,
  elision: (found) =>
    `The page has a remark in place of content: ${placesOf(found)}. Readers see only what you send. Send the whole page.`,
  escaped: (found) =>
    `Readers see escaped line breaks or quotes: ${placesOf(found)}. The page was probably encoded as JSON twice. Encode it once.`,
  jsx: (found) =>
    `Browsers do not run JSX outside scripts: ${placesOf(found)}. Send the HTML that it renders, or put it into a script with the library that runs it.`,
  template: (found) =>
    `Readers see template syntax that nothing on the page fills in: ${placesOf(found)}. Send the rendered page.`,
  local: (found) =>
    `Only the computer that made the page can load ${placesOf(found)}. Put the file into the page, or upload it and use its URL.`,
  alone: (found) =>
    `A single page has no files beside it, so it cannot load ${placesOf(found)}. Put the file into the page, upload it and use its URL, or publish a folder.`,
  absent: (found) =>
    `The folder has no file at ${placesOf(found)}. Send the missing files, or correct the addresses.`,
} satisfies Record<string, (found: Finding) => string>;

type Mistake = keyof typeof sentences;

/** Truncates a text that was decoded as Latin-1, and decodes it as UTF-8. */
export function shownText(bytes: string): string {
  return Buffer.from(bytes.slice(0, shownCharactersMax), "latin1").toString();
}

/** Describes the first occurrence, and counts the others. */
export function placesOf({ count, path, line, shown }: Finding): string {
  const places = [...(path === undefined ? [] : [path]), ...(line === undefined ? [] : [`line ${line}`])];
  const where = places.length === 0 ? "" : ` in ${places.join(", ")}`;
  const others = count === 1 ? "" : `, and ${count - 1} more`;
  return `${JSON.stringify(shown)}${where}${others}`;
}

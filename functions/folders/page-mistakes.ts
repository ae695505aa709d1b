import { type PageVisitor, visitPage } from "./page-addresses.ts";
import { type CheckedPage, type Mistake, mistakes, PageCheck } from "./page-check.ts";

/** Number of occurrences of a mistake, and the position of the first. */
export interface Finding {
  readonly count: number;
  /** Path of the page in its folder. @default - a single page */
  readonly path: string | undefined;
  /** Line of the mistake. @default - unknown, because the page's Markdown source does not contain the text */
  readonly line: number | undefined;
  readonly shown: string;
}

/** Maximum length of page text that a warning quotes, in characters. */
const shownCharactersMax = 100;

/** Collects the mistakes in pages. Stores the first occurrence of each kind. */
export class Mistakes {
  readonly #found = new Map<Mistake, Finding>();

  /** Checks a page. Passes the same parse to other visitors. */
  check(page: CheckedPage, ...others: readonly PageVisitor[]): void {
    const check = new PageCheck(page, (...found) => this.#add(page, ...found));
    visitPage(page.text, check, ...others);
    check.end();
  }

  /** Returns one warning for each kind of mistake. */
  warnings(): readonly string[] {
    return mistakes.flatMap((mistake) => {
      const found = this.#found.get(mistake);
      return found === undefined ? [] : [sentences[mistake](found)];
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

const sentences: Readonly<Record<Mistake, (found: Finding) => string>> = {
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
};

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

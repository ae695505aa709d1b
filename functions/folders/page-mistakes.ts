import { type PageVisitor, visitPage } from "./page-addresses.ts";
import { type CheckedPage, type Mistake, mistakes, PageCheck } from "./page-check.ts";

/** The number of places with a mistake, and the first of them. */
interface Finding {
  readonly count: number;
  readonly path: string | undefined;
  /** @default - unknown: the page was made from a source that does not contain the text */
  readonly line: number | undefined;
  readonly shown: string;
}

/** Longest text of a page that a warning repeats. */
const shownCharactersMax = 100;

/** Collects the mistakes of pages, each kind with its first place. */
export class Mistakes {
  readonly #found = new Map<Mistake, Finding>();

  /** Checks a page in one pass, passing its parts on to another visitor. */
  check(page: CheckedPage, also?: PageVisitor): void {
    const check = new PageCheck(page, (...found) => this.#add(page, ...found));
    visitPage(page.text, {
      onTag: (tag) => {
        check.onTag(tag);
        also?.onTag(tag);
      },
      onEndTag: (name) => check.onEndTag(name),
      onContentAddresses: (addresses) => {
        check.onContentAddresses(addresses);
        also?.onContentAddresses(addresses);
      },
      onScript: (start, end) => {
        check.onScript(start, end);
        also?.onScript?.(start, end);
      },
      onText: (start, end) => check.onText(start, end),
      onComment: (start, end) => check.onComment(start, end),
      onUnfinished: (start) => check.onUnfinished(start),
    });
    check.end();
  }

  /** Writes a warning for each kind of mistake. */
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
    const decoded = Buffer.from(shown.trim().slice(0, shownCharactersMax), "latin1").toString();
    this.#found.set(mistake, { count, path, line, shown: decoded });
  }
}

const sentences: Readonly<Record<Mistake, (found: Finding) => string>> = {
  untagged: () =>
    "html has no tags: readers see it as one line of text. Publish the text of the page itself to the same drop: not its path or URL, not Markdown, and neither escaped nor in base64.",
  unfinished: (found) =>
    `The page ends in the middle of a tag, comment, script or style${placeOf(found)}. It was probably cut off: send the whole page.`,
  elision: (found) =>
    `${counted(found, "place stands", "places stand")} for parts that were left out${placeOf(found)}. Readers get only what you send: send the whole page.`,
  escaped: (found) =>
    `${counted(found, "place has a line break or quote", "places have line breaks or quotes")} written with a backslash${placeOf(found)}. Readers see the backslash: encode the page as JSON only once.`,
  jsx: (found) =>
    `${counted(found, "place is", "places are")} JSX${placeOf(found)}. Browsers do not run it: send the HTML that it renders, or put it into a script with the library that runs it.`,
  template: (found) =>
    `${counted(found, "place has", "places have")} template syntax that nothing on the page fills in${placeOf(found)}. Readers see it as it is: send the rendered page.`,
  local: (found) =>
    `Only the machine that made the page has the ${found.count === 1 ? "file" : "files"} at ${counted(found, "address", "addresses")}, which cannot load for anyone${placeOf(found)}. Put the file into the page, or upload it and use its URL.`,
  alone: (found) =>
    `A single page has no files beside it, so ${counted(found, "address", "addresses")} cannot load for anyone${placeOf(found)}. Put the file into the page, upload it and use its URL, or publish a folder.`,
  absent: (found) =>
    `The folder has no file at ${counted(found, "address", "addresses")}, which cannot load for anyone${placeOf(found)}. Send the missing files, or correct the addresses.`,
};

function counted({ count: number }: Finding, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}

function placeOf({ count: number, path, line, shown }: Finding): string {
  const places = [...(path === undefined ? [] : [path]), ...(line === undefined ? [] : [`line ${line}`])];
  const where = places.length === 0 ? "" : ` in ${places.join(", ")}`;
  return `: ${number === 1 ? "" : "first "}${JSON.stringify(shown)}${where}`;
}

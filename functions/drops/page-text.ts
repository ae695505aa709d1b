import { decodeHTML } from "entities";
import { Parser } from "htmlparser2";

/** Elements whose text no reader sees; `framed-quote.client.ts` skips the same. */
const unseen: ReadonlySet<string> = new Set(["noscript", "script", "style", "template", "title"]);

/** Receiver of a page's texts, in their order. */
interface TextReceiver {
  /** Receives a text: decoded if readers see it. `unseenIn` names the element that hides it and is empty for visible texts. */
  text(text: string, unseenIn: string): void;
  /** The start or end of an element between texts that readers see. */
  tag?(name: string): void;
  /** Ends the walk early. @default - it goes to the end */
  isEnough?(): boolean;
}

/** Code units of a page between two calls of `isEnough`. */
const walkedAtOnce = 65_536;

/** Walks through the texts of an HTML page, without attributes. */
export function walkPageText(html: string, receiver: TextReceiver): void {
  let run = "";
  let [inside, depth] = ["", 0];
  const endRun = () => {
    // An entity cannot span two elements, so each run is decoded by itself.
    if (run !== "") receiver.text(inside === "" && run.includes("&") ? decodeHTML(run) : run, inside);
    run = "";
  };
  const meet = (name: string) => {
    endRun();
    if (inside === "") receiver.tag?.(name);
  };
  const handlers = {
    onopentagname(name: string) {
      meet(name);
      if (inside === "" && unseen.has(name)) inside = name;
      if (name === inside) depth += 1;
    },
    ontext(text: string) {
      run += text;
    },
    onclosetag(name: string) {
      meet(name);
      if (name !== inside) return;
      depth -= 1;
      if (depth === 0) inside = "";
    },
    onend: endRun,
  };
  // Texts are decoded above: the bundles contain the parser without its entity tables.
  const parser = new Parser(handlers, { decodeEntities: false });
  for (let start = 0; start < html.length && !receiver.isEnough?.(); start += walkedAtOnce)
    parser.write(html.slice(start, start + walkedAtOnce));
  parser.end();
}

/** Elements within a line of text: the others separate words. */
const inline: ReadonlySet<string> = new Set(
  "a abbr b bdi bdo big cite code data del dfn em font i ins kbd mark q rp rt ruby s samp small span strong sub sup time tt u var wbr".split(
    " ",
  ),
);

/** The text that a page shows, one line for each block, cut to the maximum length. */
export function visibleText(html: string, lengthMax = Number.POSITIVE_INFINITY): string {
  let shown = "";
  let isAtStart = true;
  walkPageText(html, {
    text(text, unseenIn) {
      if (unseenIn !== "") return;
      shown += text;
      isAtStart = false;
    },
    tag(name) {
      if (isAtStart || inline.has(name)) return;
      shown += "\n";
      isAtStart = true;
    },
    isEnough: () => shown.length >= lengthMax,
  });
  return shown
    .replace(/[^\S\n]+/gu, " ")
    .replace(/ ?\n[ \n]*/g, "\n")
    .trim();
}

import { decodeHTML } from "entities";
import { Parser } from "htmlparser2";

/** Elements whose text readers do not see. `framed-text.client.ts` skips the same elements. */
const unseen: ReadonlySet<string> = new Set(["noscript", "script", "style", "template", "title"]);

interface TextReceiver {
  /** Receives a text. Only visible texts are decoded. `unseenIn` names the element that hides the text, or is empty for a visible text. */
  text(text: string, unseenIn: string): void;
  /** Receives the name of an element that starts or ends between visible texts. */
  tag?(name: string): void;
  /** Returns true to stop reading the page early. @default - the whole page is read */
  isEnough?(): boolean;
}

const walkedAtOnce = 65_536;

/** Passes the texts of an HTML page to a receiver, without the values of attributes. */
export function walkPageText(html: string, receiver: TextReceiver): void {
  let run = "";
  let [inside, depth] = ["", 0];
  const endRun = () => {
    // An entity cannot span two elements, so each run of text is decoded separately.
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
  // The bundles leave out the parser's entity tables, so the parser must not decode entities. `endRun` decodes the texts.
  const parser = new Parser(handlers, { decodeEntities: false });
  for (let start = 0; start < html.length && !receiver.isEnough?.(); start += walkedAtOnce)
    parser.write(html.slice(start, start + walkedAtOnce));
  parser.end();
}

/** Inline elements. All other elements separate lines of text. */
const inline: ReadonlySet<string> = new Set(
  "a abbr b bdi bdo big cite code data del dfn em font i ins kbd mark q rp rt ruby s samp small span strong sub sup time tt u var wbr".split(
    " ",
  ),
);

/** Extracts a page's visible text, one line for each block. Reading stops once the maximum length is reached. */
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

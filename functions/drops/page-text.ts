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

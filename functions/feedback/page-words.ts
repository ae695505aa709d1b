import { decodeHTML } from "entities";
import { Parser } from "htmlparser2";
import { normalizeText } from "../platform/normalize-text.ts";

/** Elements whose text nobody can quote; `framed-quote.client.ts` skips the same. */
const unquotable: ReadonlySet<string> = new Set(["noscript", "script", "style", "template", "title"]);

/**
 * The words of a page as `normalizeText` gives them: a quoted passage in that form is found in them, whatever elements and white space
 * are between its words. The texts of scripts come last, since many pages write themselves from them. Styles and attributes show no words.
 */
export function wordsOfPage(html: string): string {
  let [shown, written, run] = ["", "", ""];
  let [inside, depth] = ["", 0];
  const endRun = () => {
    // Entities end with their text: two parts of one, in two elements, are none.
    if (inside === "") shown += run.includes("&") ? decodeHTML(run) : run;
    else if (inside === "script") written += run;
    run = "";
  };
  const handlers = {
    onopentagname(name: string) {
      endRun();
      if (inside === "" && unquotable.has(name)) inside = name;
      if (name === inside) depth += 1;
    },
    ontext(text: string) {
      run += text;
    },
    onclosetag(name: string) {
      endRun();
      if (name !== inside) return;
      depth -= 1;
      if (depth === 0) inside = "";
    },
    onend: endRun,
  };
  // Decoded above: the bundles have the parser without its tables of entities.
  const parser = new Parser(handlers, { decodeEntities: false });
  parser.end(html);
  // Between the two stands a character that no passage in this form has.
  return `${normalizeText(shown)}\0${normalizeText(written)}`;
}

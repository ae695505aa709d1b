import { decodeHTML } from "entities";
import { Parser } from "htmlparser2";

/**
 * What is written in a page, in a form in which a quoted passage is found whatever is between its words: without any white space,
 * which a browser makes of elements and not of text, and in lower case, which styles change. The texts of scripts come last: many
 * pages write themselves by what stands there. Styles and attributes show no words.
 */
export function wordsOfPage(html: string): string {
  let [shown, written] = ["", ""];
  let inside: "shown" | "script" | "style" = "shown";
  const handlers = {
    onopentagname(name: string) {
      if (name === "script" || name === "style") inside = name;
    },
    ontext(text: string) {
      if (inside === "shown") shown += text;
      else if (inside === "script") written += text;
    },
    onclosetag(name: string) {
      if (name === inside) inside = "shown";
    },
  };
  // Decoded below: the bundles have the parser without its tables of entities.
  const parser = new Parser(handlers, { decodeEntities: false });
  parser.end(html);
  // Between the two stands what no passage has.
  return `${toWords(decodeHTML(shown))}\0${toWords(written)}`;
}

/** A passage in the same form; empty where it has no words. */
export function toWords(text: string): string {
  return text.normalize("NFC").toLowerCase().replace(invisible, "");
}

/** White space, soft hyphens, and marks without a width, which a selection has and a page's text has not, or the other way round. */
const invisible = /[\s\0\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]+/g;

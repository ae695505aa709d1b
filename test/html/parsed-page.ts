import { Parser } from "htmlparser2";

/** Element as a browser's tokenizer parses it. */
interface ParsedElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Text of the element and its descendants, with character references resolved. */
  text: string;
}

/** Returns the elements of a page in document order. */
export function parsePage(html: string): readonly ParsedElement[] {
  const elements: ParsedElement[] = [];
  const open: ParsedElement[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      const element = { name, attributes, text: "" };
      elements.push(element);
      open.push(element);
    },
    ontext(text) {
      for (const element of open) element.text += text;
    },
    onclosetag() {
      open.pop();
    },
  });
  parser.end(html);
  return elements;
}

/** Returns the elements with this name, and with this attribute if one is given. */
export function findElements(html: string, name: string, attribute?: string): readonly ParsedElement[] {
  return parsePage(html).filter((element) => {
    return element.name === name && (attribute === undefined || attribute in element.attributes);
  });
}

/** Returns the only element with this id. */
export function elementById(html: string, id: string): ParsedElement {
  const found = parsePage(html).filter(({ attributes }) => attributes.id === id);
  const [element] = found;
  if (found.length !== 1 || !element)
    throw new Error(`${found.length} elements have the id ${id}; one is right.`);
  return element;
}

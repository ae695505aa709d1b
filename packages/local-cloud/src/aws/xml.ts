import { parseDocument } from "htmlparser2";

type XmlNode = ReturnType<typeof parseDocument>["children"][number];

/** Renders an element whose text is escaped. */
export function element(name: string, text: string | number | boolean): string {
  return `<${name}>${escapeText(String(text))}</${name}>`;
}

/** Renders an element around children that are already XML. */
export function parent(name: string, ...children: string[]): string {
  return `<${name}>${children.join("")}</${name}>`;
}

/** A parsed element, with access to its children and texts by name. */
export interface XmlElement {
  children(name: string): XmlElement[];
  text(name: string): string | undefined;
  /** Returns the texts of all children with the name. */
  texts(name: string): string[];
}

/** Parses a document and returns its root. Returns undefined if the root has another name. */
export function parseXml(xml: string, rootName: string): XmlElement | undefined {
  const document = parseDocument(xml, { xmlMode: true });
  const root = document.children.find((node) => node.type === "tag");
  return root && "name" in root && localName(root.name) === rootName ? view(root) : undefined;
}

function view(node: XmlNode): XmlElement {
  const children = "children" in node ? node.children : [];
  const named = (name: string) =>
    children.filter((child) => "name" in child && localName(child.name) === name);
  return {
    children: (name) => named(name).map(view),
    text: (name) => named(name).map(textOf)[0],
    texts: (name) => named(name).map(textOf),
  };
}

function textOf(node: XmlNode): string {
  if ("data" in node) return String(node.data);
  return "children" in node ? node.children.map(textOf).join("") : "";
}

function localName(name: string): string {
  return name.split(":").at(-1) ?? name;
}

function escapeText(text: string): string {
  return text
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;")
    .replace(/[\r\n\t]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Renders a document in S3's namespace. Errors have no namespace. */
export function s3Document(root: string, ...children: string[]): string {
  const namespace = root === "Error" ? "" : ' xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}${namespace}>${children.join("")}</${root}>`;
}

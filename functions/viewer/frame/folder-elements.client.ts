/** Elements that scripts create with files of the folder, and elements that the sandbox leaves empty. */
import { isOwnFile, resolveAddress } from "./own-folder.client.ts";
import { noteFrameRead, reportRefusal } from "./refusals.client.ts";

type Loading = HTMLImageElement | HTMLScriptElement | HTMLLinkElement | HTMLMediaElement;

/** Adapts elements when they get their addresses, and finds elements that need more. */
export function installElements(): void {
  const loading = new Map<string, readonly (new () => Loading)[]>([
    ["src", [HTMLImageElement, HTMLScriptElement, HTMLMediaElement]],
    ["srcset", [HTMLImageElement]],
    ["href", [HTMLLinkElement]],
  ]);
  for (const [name, types] of loading)
    for (const { prototype } of types) adaptSetter(prototype, name, prepare);
  adaptSetter(Element.prototype, "innerHTML", (_element, html) => withDeferredUses(html));
  const { setAttribute, setAttributeNS } = Element.prototype;
  Element.prototype.setAttribute = function (name, value) {
    const types = loading.get(String(name).toLowerCase());
    if (types?.some((type) => this instanceof type)) prepare(this as Loading, value);
    setAttribute.call(this, name, deferred(this, name, value));
  };
  Element.prototype.setAttributeNS = function (space, name, value) {
    setAttributeNS.call(this, space, name, deferred(this, name, value));
  };
  noteReadFrames();
  watch();
}

/** Changes a property's values before the browser gets them. */
function adaptSetter<Owner extends Element>(
  prototype: Owner,
  name: string,
  adapt: (element: Owner, value: string) => string,
): void {
  const property = Object.getOwnPropertyDescriptor(prototype, name);
  Object.defineProperty(prototype, name, {
    ...property,
    set(value) {
      property?.set?.call(this, adapt(this, value));
    },
  });
}

/**
 * Lets the page read files of its folder as on its own server: pixels on a canvas, rules of a style, errors of a
 * script. Other sites' files are loaded unchanged.
 */
function prepare(element: Loading, address: string): string {
  const first = String(address).trim().split(/\s/)[0] ?? "";
  if (isOwnFile(resolveAddress(first))) {
    if (element.crossOrigin !== "anonymous") element.crossOrigin = "anonymous";
  } else if (isOwnFile(resolveAddress(element.getAttribute("src") ?? element.getAttribute("href") ?? "")))
    element.removeAttribute("crossorigin");
  return address;
}

/** Records reads of a frame's document that return `null`, since a sandboxed frame in the page has another origin. */
function noteReadFrames(): void {
  for (const { prototype } of [HTMLIFrameElement, HTMLObjectElement]) {
    const property = Object.getOwnPropertyDescriptor(prototype, "contentDocument");
    Object.defineProperty(prototype, "contentDocument", {
      ...property,
      get() {
        const found = property?.get?.call(this);
        if (found === null && this.isConnected) noteFrameRead();
        return found;
      },
    });
  }
}

/** Checks the page's elements once per animation frame while it changes. */
function watch(): void {
  let isAhead = false;
  const look = () => {
    isAhead = false;
    for (const use of document.querySelectorAll<SVGUseElement>("use")) showUse(use);
    for (const element of document.querySelectorAll("embed,object,iframe"))
      if (isPdf(element)) return reportRefusal("pdf");
  };
  const observer = new MutationObserver(() => {
    if (isAhead) return;
    isAhead = true;
    requestAnimationFrame(look);
  });
  const attributeFilter = ["href", "xlink:href", "src", "data"];
  observer.observe(document, { childList: true, subtree: true, attributes: true, attributeFilter });
}

function isPdf(element: Element): boolean {
  const address = element.getAttribute("src") ?? element.getAttribute("data");
  const isSaid = element.getAttribute("type") === "application/pdf";
  return address !== null && (isSaid || /\.pdf$/i.test(resolveAddress(address)?.pathname ?? ""));
}

/** Addresses of drawings in the page's own origin, from which a browser loads symbols, by the original address. */
const drawings = new Map<string, Promise<string>>();

/**
 * The value of an attribute, written as an address within the page where it names another file for `use`, so that the browser does not request
 * it. `rewritePage` does the same for the page's own text.
 */
function deferred(element: Element, name: string, value: string): string {
  const isOfUse = element instanceof SVGUseElement && /href$/.test(name);
  return isOfUse ? String(value).replace(/^(?=[^#:]+#)/, "#") : value;
}

/** Defers the addresses of all `use` elements in a text. */
function withDeferredUses(html: string): string {
  return html && String(html).replace(/(<use\s[^>]*?href\s*=\s*["']?)(?=[^#:"'>\s]+#)/g, "$1#");
}

function showUse({ href }: SVGUseElement): void {
  const written = href.baseVal;
  const [, address = ""] = /^#?([^#]+#.+)/.exec(written) ?? [];
  const url = resolveAddress(address);
  if (!url?.hash || !isOwnFile(url)) return;
  const file = url.href.slice(0, -url.hash.length);
  if (file === document.URL.replace(/#.*/, "")) return;
  if (!drawings.has(file)) drawings.set(file, readDrawing(file));
  drawings.get(file)?.then(
    (drawing) => {
      if (href.baseVal === written) href.baseVal = drawing + url.hash;
    },
    () => {},
  );
}

async function readDrawing(file: string): Promise<string> {
  const response = await fetch(file);
  if (!response.ok) throw new Error("missing");
  return URL.createObjectURL(await response.blob());
}

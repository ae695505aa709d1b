/** Adapts elements that load files of the folder, if scripts create them or the sandbox would leave them empty. */
import {
  isBelowTop,
  isOwnFile,
  resolveAddress,
  styleWithinFolder,
  withinFolder,
} from "./own-folder.client.ts";
import { noteFrameRead, reportRefusal } from "./refusals.client.ts";

/** Elements that load files, and their URL attributes. */
const loaders = ["Image", "Script", "Link", "Media", "Video", "Source", "IFrame", "Object", "Embed"];
const addressAttributes = ["src", "srcset", "href", "poster", "data"];

/** Adapts elements when scripts set their URLs, and watches the page for elements that need other changes. */
export function installElements(): void {
  const types: (typeof Element)[] = loaders.map((name) => window[`HTML${name}Element` as "HTMLElement"]);
  for (const { prototype } of types)
    for (const name of addressAttributes)
      if (Object.hasOwn(prototype, name)) adaptSetter(prototype, name, prepare);
  for (const { prototype } of [Element, ShadowRoot])
    adaptSetter(prototype, "innerHTML", (_owner, html) => adaptHtml(html));
  adaptSetter(Element.prototype, "outerHTML", (_owner, html) => adaptHtml(html));
  adaptTexts(Element.prototype, "insertAdjacentHTML", adaptHtml);
  adaptTexts(Range.prototype, "createContextualFragment", adaptHtml);
  adaptTexts(Document.prototype, "write", adaptHtml);
  adaptTexts(CSSStyleSheet.prototype, "insertRule", styleWithinFolder);
  if (typeof Worklet !== "undefined") adaptTexts(Worklet.prototype, "addModule", withinFolder);
  const { setAttribute, setAttributeNS } = Element.prototype;
  Element.prototype.setAttribute = function (name, value) {
    setAttribute.call(this, name, adaptValue(this, name, value));
  };
  Element.prototype.setAttributeNS = function (space, name, value) {
    setAttributeNS.call(this, space, name, adaptValue(this, name, value));
  };
  function adaptValue(element: Element, name: string, value: string): string {
    const known = String(name).toLowerCase().replace("xlink:", "");
    const isLoading = addressAttributes.includes(known) && types.some((type) => element instanceof type);
    return isLoading ? prepare(element, value, known) : deferred(element, name, value);
  }
  window.Audio = new Proxy(Audio, {
    construct: (target, [address], newTarget) =>
      Reflect.construct(target, address === undefined ? [] : [withinFolder(String(address))], newTarget),
  });
  types.push(SVGImageElement);
  noteReadFrames();
  watch();
}

/** Wraps a method and rewrites its string arguments. */
function adaptTexts(prototype: object, name: string, adapt: (text: string) => string): void {
  const method = Reflect.get(prototype, name);
  Object.assign(prototype, {
    [name](...given: unknown[]) {
      return method.apply(
        this,
        given.map((one) => (typeof one === "string" || one instanceof URL ? adapt(String(one)) : one)),
      );
    },
  });
}

/** Wraps a property's setter and rewrites the values. */
function adaptSetter<Owner extends object>(
  prototype: Owner,
  name: string,
  adapt: (element: Owner, value: string, name: string) => string,
): void {
  const property = Object.getOwnPropertyDescriptor(prototype, name);
  Object.defineProperty(prototype, name, {
    ...property,
    set(value) {
      property?.set?.call(this, adapt(this, value, name));
    },
  });
}

/**
 * Makes an element request the folder's files with CORS, so that the page can read canvas pixels, style rules and script
 * errors, as on its own server. Elements with files of other sites stay unchanged.
 */
function prepare(element: Element, address: string, name: string): string {
  const text = String(address);
  const first = text.trim().split(/\s/)[0] ?? "";
  if ("crossOrigin" in element && name !== "poster") {
    if (isOwnFile(resolveAddress(first))) {
      if (element.crossOrigin !== "anonymous") element.crossOrigin = "anonymous";
    } else if (isOwnFile(resolveAddress(element.getAttribute("src") ?? element.getAttribute("href") ?? "")))
      element.removeAttribute("crossorigin");
  }
  const moved = withinFolder(text);
  return moved === text ? address : moved;
}

/** Reports when the page reads a frame's document and gets `null`, because a sandboxed frame has another origin. */
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

/** Checks the page's elements once per animation frame while the page changes. */
function watch(): void {
  let isAhead = false;
  const look = () => {
    isAhead = false;
    for (const use of document.querySelectorAll<SVGUseElement>("use")) showUse(use);
    for (const element of isBelowTop ? document.querySelectorAll("style,[style*='url(']") : [])
      showStyle(element);
    for (const element of document.querySelectorAll("embed,object,iframe"))
      if (isPdf(element)) return reportRefusal("pdf");
  };
  const observer = new MutationObserver(() => {
    if (isAhead) return;
    isAhead = true;
    requestAnimationFrame(look);
  });
  const attributeFilter = ["href", "xlink:href", "src", "data", ...(isBelowTop ? ["style"] : [])];
  observer.observe(document, { childList: true, subtree: true, attributes: true, attributeFilter });
}

const seenStyles = new WeakSet<Element>();

/** Rewrites a style after a script has set it. Browsers don't let scripts intercept style properties. */
function showStyle(element: Element): void {
  const isElement = element instanceof HTMLStyleElement;
  if (isElement && seenStyles.has(element)) return;
  seenStyles.add(element);
  const text = (isElement ? element.textContent : element.getAttribute("style")) ?? "";
  const moved = styleWithinFolder(text);
  if (moved === text) return;
  if (isElement) element.textContent = moved;
  else element.setAttribute("style", moved);
}

function isPdf(element: Element): boolean {
  const address = element.getAttribute("src") ?? element.getAttribute("data");
  const isSaid = element.getAttribute("type") === "application/pdf";
  return address !== null && (isSaid || /\.pdf$/i.test(resolveAddress(address)?.pathname ?? ""));
}

/**
 * Blob URLs of SVG files, by original URL. Needed because browsers load SVG symbols only from the page's own origin.
 */
const drawings = new Map<string, Promise<string>>();

/**
 * Turns the URL of another file in a `use` element into a fragment, so that the browser does not request the file.
 * `rewritePage` does this in the page's HTML.
 */
function deferred(element: Element, name: string, value: string): string {
  const isOfUse = element instanceof SVGUseElement && /href$/.test(name);
  return isOfUse ? String(value).replace(/^(?=[^#:]+#)/, "#") : value;
}

/** Rewrites HTML: defers all `use` elements, and adapts elements that load files of the folder. */
function adaptHtml(html: string): string {
  return (
    html &&
    String(html)
      .replace(/(<use\s[^>]*?href\s*=\s*["']?)(?=[^#:"'>\s]+#)/g, "$1#")
      .replace(/<(?:img|image|video|audio|source|script|link|iframe|object|embed)\s[^<>]*/gi, adaptTag)
  );
}

function adaptTag(tag: string): string {
  const [, address = ""] = /^<(?:img|video|audio)\s(?:[^<>]*\s)?src\s*=\s*["']?([^\s"'>]+)/i.exec(tag) ?? [];
  const isOwn = address && isOwnFile(resolveAddress(address)) && !/\scrossorigin/i.test(tag);
  return (isOwn ? tag.replace(/\s/, " crossorigin ") : tag).replace(
    /\s(?:src|srcset|href|poster|data)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi,
    withinFolder,
  );
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

/** Elements that scripts create with files of the folder, and elements that the sandbox leaves empty. */
import { isOwnFile, resolveAddress } from "./own-folder.client.ts";
import { noteFrameRead, reportRefusal } from "./refusals.client.ts";

type Loading = HTMLImageElement | HTMLScriptElement | HTMLLinkElement | HTMLMediaElement;

/** Adapts elements as they get their addresses, and looks for those that need more. */
export function installElements(): void {
  const loading = new Map<string, readonly { readonly prototype: Loading }[]>([
    ["src", [HTMLImageElement, HTMLScriptElement, HTMLMediaElement]],
    ["srcset", [HTMLImageElement]],
    ["href", [HTMLLinkElement]],
  ]);
  for (const [name, types] of loading)
    for (const { prototype } of types) {
      const property = Object.getOwnPropertyDescriptor(prototype, name);
      Object.defineProperty(prototype, name, {
        ...property,
        set(address) {
          prepare(this, address);
          property?.set?.call(this, address);
        },
      });
    }
  const { setAttribute } = Element.prototype;
  Element.prototype.setAttribute = function (...args) {
    const types = loading.get(String(args[0]).toLowerCase());
    if (types?.some(({ prototype }) => Object.prototype.isPrototypeOf.call(prototype, this)))
      prepare(this as Loading, args[1]);
    setAttribute.apply(this, args);
  };
  noteReadFrames();
  watch();
}

/**
 * Lets the page read what it loads from its folder, as on a server of its own: pixels on a canvas, rules of a style, errors of a script.
 * Other sites' files are loaded as the page says.
 */
function prepare(element: Loading, address: unknown): void {
  const first = String(address).trim().split(/\s/)[0] ?? "";
  if (isOwnFile(resolveAddress(first))) {
    if (element.crossOrigin !== "anonymous") element.crossOrigin = "anonymous";
  } else if (isOwnFile(resolveAddress(element.getAttribute("src") ?? element.getAttribute("href") ?? "")))
    element.removeAttribute("crossorigin");
}

/** Notes frames whose document the page gets as `null`, since a sandboxed frame in the page has another origin than the page. */
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

/** Looks at the page's elements once a frame while it changes. */
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

/** Drawings by their address, as an address of the page's own, from which a browser takes symbols. */
const drawings = new Map<string, Promise<string>>();

function showUse({ href }: SVGUseElement): void {
  const address = href.baseVal;
  const url = resolveAddress(address);
  if (address.startsWith("#") || !url?.hash || !isOwnFile(url)) return;
  const file = url.href.slice(0, -url.hash.length);
  if (file === document.URL.replace(/#.*/, "")) return;
  if (!drawings.has(file)) drawings.set(file, readDrawing(file));
  drawings.get(file)?.then(
    (drawing) => {
      if (href.baseVal === address) href.baseVal = drawing + url.hash;
    },
    () => {},
  );
}

async function readDrawing(file: string): Promise<string> {
  const response = await fetch(file);
  if (!response.ok) throw new Error("missing");
  return URL.createObjectURL(await response.blob());
}

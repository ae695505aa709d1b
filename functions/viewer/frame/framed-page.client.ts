/**
 * Runs in a published page before its own scripts, inside the viewer's frame: docs/adr/0057-links-in-framed-pages.md. The sandbox
 * opens no windows, and other sites show blank in the frame. So links out of the page are sent to the viewer, which checks and
 * opens them, unless a script of the page handles the click.
 */
import { isPrintKey, parseUrl } from "./frame-input.client.ts";
import type { FrameMessage, ViewerMessage } from "./frame-messages.ts";
import { selectedText, showQuote } from "./framed-quote.client.ts";

const viewer = window.parent;
/** Address of the folder that the page is in: its own host, if it has one. */
const folder = /^[^?#]*?\/(raw\/@|f--)[^/]+\//.exec(location.href)?.[0];
const openInPlace = window.open.bind(window);

if (viewer !== window) {
  afterThePage("click", (event) => followClick(event as MouseEvent));
  afterThePage("auxclick", (event) => followClick(event as MouseEvent));
  afterThePage("submit", (event) => followSubmit(event as SubmitEvent));
  window.open = (url, target, features) => {
    if (target && isOwnFrame(target)) return openInPlace(url, target, features);
    const parsed = url && parseUrl(String(url), document.baseURI);
    if (parsed) tellToOpen(parsed);
    return null;
  };
  addEventListener("keydown", (event) => {
    if (!isPrintKey(event)) return;
    event.preventDefault();
    print();
  });
  addEventListener("message", ({ source, data }: MessageEvent<ViewerMessage>) => {
    if (source !== viewer) return;
    if (data.dropleaf === "print") print();
    else if (data.dropleaf === "fragment") location.hash = data.hash;
    else if (data.dropleaf === "place") goTo(data.px);
    else if (data.dropleaf === "selection") tell({ dropleaf: "selected", text: selectedText() });
    else if (data.dropleaf === "quote") tell({ dropleaf: "shown", isFound: showQuote(data.text) });
  });
  addEventListener("error", ({ error }) => reportRefusal(error));
  addEventListener("unhandledrejection", ({ reason }) => reportRefusal(reason));
  addEventListener("scroll", () => tell({ dropleaf: "place", px: scrollY }), { passive: true });
  addEventListener("DOMContentLoaded", () => {
    tell({ dropleaf: "ready", path: location.pathname });
    new ResizeObserver(() => tell({ dropleaf: "height", px: document.documentElement.scrollHeight })).observe(
      document.documentElement,
    );
  });
}

function tell(message: FrameMessage): void {
  viewer.postMessage(message, "*");
}

/** A page of the folder is opened where it is no part of the viewer. */
function tellToOpen({ href }: URL): void {
  tell({ dropleaf: "open", url: href.replace(/((raw\/@|f--\w+-v)\d+)-framed/, "$1") });
}

/** Reports an uncaught refusal of the sandbox, such as of storage, cookies or pointer lock. */
function reportRefusal(error: unknown): void {
  if (error instanceof DOMException && error.name === "SecurityError") tell({ dropleaf: "refused" });
}

/** Once more when its pictures are there, before which a page may not be high enough; unless its reader has gone elsewhere. */
function goTo(px: number): void {
  if (!px) return;
  scrollTo(0, px);
  const reached = scrollY;
  addEventListener("load", () => scrollY === reached && scrollTo(0, px));
}

/** Listens to what is left of an event when all of the page's own listeners have had it, those that came later too. */
function afterThePage(type: "click" | "auxclick" | "submit", follow: (event: Event) => void): void {
  addEventListener(
    type,
    () => addEventListener(type, (event) => event.defaultPrevented || follow(event), { once: true }),
    true,
  );
}

function followClick(event: MouseEvent): void {
  // The third button asks for a menu.
  if (event.button > 1) return;
  const link = event.composedPath().find(isLink);
  if (link === undefined) return;
  const href = link instanceof SVGAElement ? link.href.baseVal : link.href;
  const named = link instanceof SVGAElement ? link.target.baseVal : link.target;
  const isDownload = link.hasAttribute("download");
  const isApart = event.button || event.ctrlKey || event.metaKey || event.shiftKey || isDownload;
  lead(event, href, { target: isApart ? "_blank" : named, isDownload });
}

function isLink(one: EventTarget): one is HTMLAnchorElement | HTMLAreaElement | SVGAElement {
  const isElement =
    one instanceof HTMLAnchorElement || one instanceof HTMLAreaElement || one instanceof SVGAElement;
  return isElement && (one.hasAttribute("href") || one.hasAttribute("xlink:href"));
}

function followSubmit(event: SubmitEvent): void {
  const form = event.target as HTMLFormElement;
  const submitter = event.submitter as HTMLButtonElement | null;
  const given = <Name extends "formMethod" | "formAction" | "formTarget">(name: Name) =>
    submitter?.hasAttribute(name.toLowerCase()) ? submitter[name] : undefined;
  const method = given("formMethod") ?? form.getAttribute("method")?.toLowerCase();
  const target = given("formTarget") ?? form.getAttribute("target") ?? "";
  if (method === "dialog" || isOwnFrame(target)) return;
  if (method === "post") {
    event.preventDefault();
    tell({ dropleaf: "kept" });
    return;
  }
  const url = parseUrl(given("formAction") ?? form.getAttribute("action") ?? "", document.baseURI);
  if (url === undefined) return;
  const fields = [...new FormData(form, submitter)].map(([name, value]) => [name, String(value)]);
  url.search = String(new URLSearchParams(fields));
  lead(event, url.href, { target, isDownload: false });
}

/** Has the viewer open an address that this frame cannot show. */
function lead(
  event: Event,
  href: string,
  { target, isDownload }: { readonly target: string; readonly isDownload: boolean },
): void {
  const url = parseUrl(href, document.baseURI);
  if (url === undefined || isOwnFrame(target)) return;
  if (url.protocol === "javascript:") return;
  // What the page has made itself is saved as it always was.
  if (isDownload && /^(blob|data):$/.test(url.protocol)) return;
  if (withoutHash(url.href) === withoutHash(location.href)) return;
  // The frame shows other pages of its folder. Its other files open in a tab.
  const isInFolder = folder && url.href.startsWith(folder);
  if (isInFolder && !target && /(\/[^./]*|\.html?)$/.test(url.pathname)) return;
  event.preventDefault();
  tellToOpen(url);
}

function isOwnFrame(target: string): boolean {
  return target !== "" && !target.startsWith("_") && target in window.frames;
}

function withoutHash(address: string): string {
  return address.replace(/#.*/, "");
}

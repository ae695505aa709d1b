/**
 * Links, forms, downloads and new windows of a framed page: docs/adr/0057-framed-pages.md. The sandbox opens no
 * windows, and other sites are blank in the frame.
 */
import { parseUrl } from "./frame-input.client.ts";
import type { InnerMessage } from "./frame-messages.ts";
import { isInner, pagesAround, tell } from "./framed-viewer.client.ts";
import { isOwnFile, resolveAddress } from "./own-folder.client.ts";

const openInPlace = window.open.bind(window);
/** Time that a saved file stays available to the browser. */
const keptForMs = 60_000;

/** The circumstances of a click, a form or a call. */
interface Way {
  /** Name of the window; empty for the element's own window. */
  readonly target: string;
  /** Value of the attribute `download`. @default - the link has none */
  readonly download?: string | null;
  /** The reader requested a new tab, by a key or the middle button. */
  readonly isApart?: boolean;
  /** Keeps the browser from following the address. @default - there is nothing to prevent, as in a call */
  readonly prevent?: () => void;
}

export function followClick(event: MouseEvent): void {
  // The third button opens a menu.
  if (event.button > 1) return;
  const link = event.composedPath().find(isLink);
  if (link === undefined) return;
  const isApart = Boolean(event.button || event.ctrlKey || event.metaKey || event.shiftKey);
  follow(link instanceof SVGAElement ? link.href.baseVal : link.href, {
    target: isApart ? "_blank" : targetOf(link),
    download: link.getAttribute("download"),
    isApart,
    prevent: () => event.preventDefault(),
  });
}

function isLink(one: EventTarget): one is HTMLAnchorElement | HTMLAreaElement | SVGAElement {
  const isElement =
    one instanceof HTMLAnchorElement || one instanceof HTMLAreaElement || one instanceof SVGAElement;
  return isElement && (one.hasAttribute("href") || one.hasAttribute("xlink:href"));
}

export function followSubmit(event: SubmitEvent): void {
  const form = event.target as HTMLFormElement;
  const submitter = event.submitter as HTMLButtonElement | null;
  const given = <Name extends "formMethod" | "formAction" | "formTarget">(name: Name) =>
    submitter?.hasAttribute(name.toLowerCase()) ? submitter[name] : undefined;
  const method = given("formMethod") ?? form.getAttribute("method")?.toLowerCase();
  const target = targetOf(form, given("formTarget"));
  if (method === "dialog" || isOwnFrame(target)) return;
  const prevent = () => event.preventDefault();
  if (method === "post") {
    prevent();
    tell({ dropleaf: "kept" });
    return;
  }
  const url = parseUrl(given("formAction") ?? form.getAttribute("action") ?? "", document.baseURI);
  if (url === undefined) return;
  const fields = [...new FormData(form, submitter)].map(([name, value]) => [name, String(value)]);
  url.search = String(new URLSearchParams(fields));
  follow(url.href, { target, prevent });
}

/** Replaces `window.open`, which the sandbox refuses. */
export function openWindow(url?: string | URL, target = "_blank", features?: string): Window | null {
  if (isOwnFrame(target)) return openInPlace(url, target, features);
  if (url) follow(String(url), { target: withoutSelf(target) });
  return null;
}

/** Opens an address for a frame inside this page, in a frame or page that it cannot reach itself. */
export function leadInner({ url, target }: InnerMessage): void {
  const parsed = resolveAddress(url);
  if (parsed === undefined || !isOwnFile(parsed)) return;
  if (target === "") location.assign(parsed);
  else if (isOwnFrame(target)) openInPlace(parsed, target);
}

/** Name of the window that an element opens its address in (HTML Standard, "get an element's target"). */
function targetOf(element: Element, given = element.getAttribute("target")): string {
  return withoutSelf(given ?? document.querySelector("base[target]")?.getAttribute("target") ?? "");
}

function withoutSelf(target: string): string {
  return /^_self$/i.test(target) ? "" : target;
}

/** Lets the viewer open an address that this frame cannot show. */
function follow(href: string, { target, download = null, isApart = false, prevent }: Way): void {
  const url = resolveAddress(href);
  if (url === undefined || url.protocol === "javascript:") return;
  const isOutOfFrame = /^_(parent|top)$/i.test(target);
  const isHere = target === "" || (isOutOfFrame && !isInner);
  const isSamePage = withoutHash(url.href) === withoutHash(location.href);
  // Pages and browsers create these addresses, which only the page itself can open.
  const isMade = /^(blob|data):$/.test(url.protocol);
  const goTo = () => {
    if (target === "" && prevent && url.href === href) return;
    prevent?.();
    location.assign(url);
  };

  if (download !== null && isMade) return;
  if (download !== null && isOwnFile(url)) {
    prevent?.();
    void saveFile(url, download);
    return;
  }
  if (isOwnFrame(target)) return;
  if (isMade) {
    if (isInner && isHere) {
      goTo();
      return;
    }
    prevent?.();
    save(url.href, document.title.replaceAll(".", "-"));
    return;
  }
  // A new tab would show the same page, but the reader wants another place on it.
  if (isSamePage && download === null && !isApart && (isHere || url.href.includes("#"))) {
    goTo();
    return;
  }
  // The frame shows other pages of its folder. Its other files open in a tab.
  if (isOwnFile(url) && /(\/[^./]*|\.html?)$/.test(url.pathname)) {
    if (isHere) {
      goTo();
      return;
    }
    const page = isOutOfFrame ? pagesAround().at(/parent/i.test(target) ? 0 : -1) : findPageWithFrame(target);
    if (page) {
      prevent?.();
      const message: InnerMessage = { dropleaf: "lead", target: isOutOfFrame ? "" : target, url: url.href };
      page.postMessage(message, "*");
      return;
    }
  }
  prevent?.();
  tellToOpen(url, download !== null && isSamePage);
}

/** Lets the viewer open an address in a new tab, outside its frame. */
function tellToOpen({ href }: URL, isDownload = false): void {
  const url = withoutFrame(href).replace(/(\/raw\?v=\d+)&framed=1/, isDownload ? "$1&download=1" : "$1");
  tell({ dropleaf: "open", url });
}

/** The address of a folder's page without the marks of the viewer's frame. */
function withoutFrame(href: string): string {
  return href.replace(/((raw\/@|f--\w+-v)\d+)-framed/, "$1");
}

/** Saves a file of the folder under its name, which a page without an origin cannot do. */
async function saveFile(url: URL, name: string): Promise<void> {
  const plain = withoutFrame(url.href);
  try {
    const response = await fetch(plain);
    if (!response.ok) throw response;
    const address = URL.createObjectURL(await response.blob());
    save(address, name || nameOf(url));
    setTimeout(() => URL.revokeObjectURL(address), keptForMs);
  } catch {
    tellToOpen(url);
  }
}

function save(href: string, name: string): void {
  Object.assign(document.createElement("a"), { href, download: name }).click();
}

function nameOf({ pathname }: URL): string {
  const name = pathname.slice(pathname.lastIndexOf("/") + 1) || "index.html";
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function isOwnFrame(target: string): boolean {
  return target !== "" && !target.startsWith("_") && target in window.frames;
}

/** The framed page around this one that has a frame of the name. Browsers throw for a name that a window of no origin does not have. */
function findPageWithFrame(name: string): Window | undefined {
  return pagesAround().find((page) => {
    try {
      return !name.startsWith("_") && Boolean(page[name as keyof Window]);
    } catch {
      return false;
    }
  });
}

function withoutHash(address: string): string {
  return address.replace(/#.*/, "");
}

/**
 * Handles links, forms, downloads and new windows of a framed page; see docs/adr/0057-framed-pages.md. The sandbox
 * cannot open windows, and other sites stay blank in the frame.
 */
import { parseUrl } from "./frame-input.client.ts";
import type { InnerMessage } from "./frame-messages.ts";
import { isInner, pagesAround, sendToViewer } from "./framed-viewer.client.ts";
import { isOwnFile, resolveAddress } from "./own-folder.client.ts";

const openInPlace = window.open.bind(window);
/** How long the blob URL of a downloaded file stays valid. */
const blobUrlValidMs = 60_000;

/** Options of a navigation that a click, a form or a function call starts. */
interface LinkOptions {
  /** Name of the target window. Empty for the element's own window. */
  readonly target: string;
  /** Value of the `download` attribute. @default - the link has no such attribute */
  readonly download?: string | null;
  /** True if the reader requested a new tab with a modifier key or the middle button. */
  readonly isApart?: boolean;
  /** Prevents the browser's own navigation. @default - there is nothing to prevent, as in a call of `window.open` */
  readonly prevent?: () => void;
}

export function followClick(event: MouseEvent): void {
  // The secondary button opens a context menu.
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
    sendToViewer({ dropleaf: "kept" });
    return;
  }
  const url = parseUrl(given("formAction") ?? form.getAttribute("action") ?? "", document.baseURI);
  if (url === undefined) return;
  const fields = [...new FormData(form, submitter)].map(([name, value]) => [name, String(value)]);
  url.search = String(new URLSearchParams(fields));
  follow(url.href, { target, prevent });
}

/** Replaces `window.open`, which the sandbox blocks. */
export function openWindow(url?: string | URL, target = "_blank", features?: string): Window | null {
  if (isOwnFrame(target)) return openInPlace(url, target, features);
  if (url) follow(String(url), { target: withoutSelf(target) });
  return null;
}

/** Opens a URL for a nested frame whose link targets a window that the frame cannot reach. */
export function leadInner({ url, target }: InnerMessage): void {
  const parsed = resolveAddress(url);
  if (parsed === undefined || !isOwnFile(parsed)) return;
  if (target === "") location.assign(parsed);
  else if (isOwnFrame(target)) openInPlace(parsed, target);
}

/** Returns the name of the window in which an element opens its URL (HTML Standard, "get an element's target"). */
function targetOf(element: Element, given = element.getAttribute("target")): string {
  return withoutSelf(given ?? document.querySelector("base[target]")?.getAttribute("target") ?? "");
}

function withoutSelf(target: string): string {
  return /^_self$/i.test(target) ? "" : target;
}

/** Follows a link. The viewer opens URLs that this frame cannot show. */
function follow(href: string, { target, download = null, isApart = false, prevent }: LinkOptions): void {
  const url = resolveAddress(href);
  if (url === undefined || url.protocol === "javascript:") return;
  const isOutOfFrame = /^_(parent|top)$/i.test(target);
  const isHere = target === "" || (isOutOfFrame && !isInner);
  const isSamePage = withoutHash(url.href) === withoutHash(location.href);
  // The page itself created this URL, so only the page can open it.
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
  // The link targets a place on this page, so no new tab is needed.
  if (isSamePage && download === null && !isApart && (isHere || url.href.includes("#"))) {
    goTo();
    return;
  }
  // Other pages of the folder open in the frame. Other files of the folder open in a tab.
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
  requestNewTab(url, download !== null && isSamePage);
}

/** Asks the viewer to open a URL in a new tab. */
function requestNewTab({ href }: URL, isDownload = false): void {
  const url = withoutFrame(href).replace(/(\/raw\?v=\d+)&framed=1/, isDownload ? "$1&download=1" : "$1");
  sendToViewer({ dropleaf: "open", url });
}

/** Removes the viewer frame's marker from the URL of a folder's page. */
function withoutFrame(href: string): string {
  return href.replace(/((raw\/@|f--\w+-v)\d+)-framed/, "$1");
}

/**
 * Downloads a file of the folder with the given file name. Browsers ignore the name on a page without an origin, so the
 * file is fetched first.
 */
async function saveFile(url: URL, name: string): Promise<void> {
  const plain = withoutFrame(url.href);
  try {
    const response = await fetch(plain);
    if (!response.ok) throw response;
    const address = URL.createObjectURL(await response.blob());
    save(address, name || nameOf(url));
    setTimeout(() => URL.revokeObjectURL(address), blobUrlValidMs);
  } catch {
    requestNewTab(url);
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

/** Finds the enclosing framed page that has a frame with the given name. Browsers throw for an unknown name on a cross-origin window. */
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

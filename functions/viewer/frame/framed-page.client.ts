/**
 * Runs in a published page before its own scripts, inside the viewer's frame; see docs/adr/0057-framed-pages.md. The
 * viewer checks and opens links to other URLs, unless a script of the page handles the click.
 */
import { isPrintKey, parseUrl } from "./frame-input.client.ts";
import type { ViewerMessage } from "./frame-messages.ts";
import { followClick, followSubmit, leadInner, openWindow } from "./framed-links.client.ts";
import { reportMarks } from "./framed-mark.client.ts";
import { selectedText, showChanges, showElement, showQuote } from "./framed-text.client.ts";
import { isInner, listen, sendToViewer, viewer } from "./framed-viewer.client.ts";

if (viewer !== window) {
  listen(handleMessage, leadInner);
  keepOwnOriginInMessages();
  afterThePage("click", (event) => followClick(event as MouseEvent));
  afterThePage("auxclick", (event) => followClick(event as MouseEvent));
  afterThePage("submit", (event) => followSubmit(event as SubmitEvent));
  window.open = openWindow;
  addEventListener("keydown", (event) => {
    if (!isPrintKey(event)) return;
    event.preventDefault();
    print();
  });
  // Only the outermost page reports its URL and state. Pages in nested frames report only their links.
  if (!isInner) {
    reportState();
    showChanges();
  }
}

function handleMessage(message: ViewerMessage): void {
  if (message.dropleaf === "print") print();
  else if (message.dropleaf === "fragment") showFragment(message.hash);
  else if (message.dropleaf === "place") goTo(message.px);
  else if (message.dropleaf === "selection") sendToViewer({ dropleaf: "selected", text: selectedText() });
  else if (message.dropleaf === "quote")
    sendToViewer({ dropleaf: "shown", isFound: showQuote(message.text) });
  else if (message.dropleaf === "element")
    sendToViewer({ dropleaf: "shown", ...showElement(message.selector) });
  else if (message.dropleaf === "mark") reportMarks(message.isPicking);
}

/** Replaces the fragment without a new history entry, which would cost the reader another step back. */
function showFragment(hash: string): void {
  location.replace(Object.assign(new URL(location.href), { hash }));
}

function reportState(): void {
  // Reports only input by the reader, not scrolling and events by the page's own script.
  for (const type of ["wheel", "touchmove", "keydown", "pointerdown"])
    addEventListener(type, ({ isTrusted }) => isTrusted && sendToViewer({ dropleaf: "used" }), {
      capture: true,
      once: true,
      passive: true,
    });
  addEventListener("scroll", () => sendToViewer({ dropleaf: "place", px: scrollY }), { passive: true });
  addEventListener("DOMContentLoaded", () => {
    sendToViewer({ dropleaf: "ready", path: location.pathname });
    reportAddress(true);
    new ResizeObserver(() =>
      sendToViewer({ dropleaf: "height", px: document.documentElement.scrollHeight }),
    ).observe(document.documentElement);
  });
  for (const name of ["pushState", "replaceState"] as const) {
    const change = history[name].bind(history);
    history[name] = (...given) => {
      change(...given);
      reportAddress();
    };
  }
  for (const type of ["popstate", "hashchange"]) addEventListener(type, () => reportAddress());
}

function reportAddress(isArrival = false): void {
  const { pathname, search, hash } = location;
  sendToViewer({ dropleaf: "at", address: pathname + search + hash, title: document.title, isArrival });
}

/**
 * Scrolls to a position. Scrolls again after the images have loaded, because the page may be too short before, unless
 * the reader has scrolled.
 */
function goTo(px: number): void {
  if (!px) return;
  scrollTo(0, px);
  const reached = scrollY;
  addEventListener("load", () => scrollY === reached && scrollTo(0, px));
}

/** Adds a listener that runs after all of the page's own listeners, including later ones. */
function afterThePage(type: "click" | "auxclick" | "submit", follow: (event: Event) => void): void {
  addEventListener(
    type,
    () => addEventListener(type, (event) => event.defaultPrevented || follow(event), { once: true }),
    true,
  );
}

/**
 * Delivers messages that a framed page sends to itself with its URL's origin as target. In the sandbox the page's
 * origin is `null`, so the browser would drop these messages.
 */
function keepOwnOriginInMessages(): void {
  const post = window.postMessage.bind(window) as (...given: readonly unknown[]) => void;
  const postToSelf = (message: unknown, ...[given, ...rest]: readonly unknown[]) => {
    const isByOptions = typeof given === "object" && given !== null;
    const options = isByOptions ? (given as WindowPostMessageOptions) : { targetOrigin: given };
    if (!isOwn(options.targetOrigin)) post(message, ...(given === undefined ? [] : [given]), ...rest);
    else if (isByOptions) post(message, { ...options, targetOrigin: "*" });
    else post(message, "*", ...rest);
  };
  define(window, "postMessage", {
    // Uses the browser's function if a nested frame has the page's own origin. Messages that the frame sends through
    // our function would seem to come from the page.
    get: () => (hasFrameOfOwnOrigin() ? post : postToSelf),
    set: (value) => define(window, "postMessage", { value, writable: true }),
  });
  const { get } = Object.getOwnPropertyDescriptor(MessageEvent.prototype, "origin") ?? {};
  define(MessageEvent.prototype, "origin", {
    get(this: MessageEvent) {
      const origin = get?.call(this);
      return origin === "null" && this.source === window ? location.origin : origin;
    },
  });
}

function isOwn(targetOrigin: unknown): boolean {
  const text = String(targetOrigin);
  return text === "null" || (text.startsWith("http") && parseUrl(text)?.origin === location.origin);
}

function hasFrameOfOwnOrigin(): boolean {
  return Array.from({ length: window.length }, (_, index) => window[index]).some((frame) => {
    try {
      return frame?.document;
    } catch {
      return false;
    }
  });
}

function define(owner: object, name: string, property: PropertyDescriptor): void {
  Object.defineProperty(owner, name, { configurable: true, enumerable: true, ...property });
}

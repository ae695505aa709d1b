/**
 * Runs in a published page before its own scripts, inside the viewer's frame; see docs/adr/0057-framed-pages.md. The
 * viewer checks and opens links to other URLs, unless a script of the page handles the click.
 */
import { isPrintKey } from "./frame-input.client.ts";
import type { ViewerMessage } from "./frame-messages.ts";
import { followClick, followSubmit, leadInner, openWindow } from "./framed-links.client.ts";
import { reportMarks } from "./framed-mark.client.ts";
import { selectedText, showChanges, showElement, showQuote } from "./framed-text.client.ts";
import { isInner, listen, tell, viewer } from "./framed-viewer.client.ts";
import { keepOwnOriginInMessages } from "./own-origin-messages.client.ts";

if (viewer !== window) {
  listen(obey, leadInner);
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
    report();
    showChanges();
  }
}

function obey(message: ViewerMessage): void {
  if (message.dropleaf === "print") print();
  else if (message.dropleaf === "fragment") showFragment(message.hash);
  else if (message.dropleaf === "place") goTo(message.px);
  else if (message.dropleaf === "selection") tell({ dropleaf: "selected", text: selectedText() });
  else if (message.dropleaf === "quote") tell({ dropleaf: "shown", isFound: showQuote(message.text) });
  else if (message.dropleaf === "element") tell({ dropleaf: "shown", ...showElement(message.selector) });
  else if (message.dropleaf === "mark") reportMarks(message.isPicking);
}

/** Replaces the fragment without a new history entry, which would cost the reader another step back. */
function showFragment(hash: string): void {
  location.replace(Object.assign(new URL(location.href), { hash }));
}

function report(): void {
  // Reports only input by the reader, not scrolling and events by the page's own script.
  for (const type of ["wheel", "touchmove", "keydown", "pointerdown"])
    addEventListener(type, ({ isTrusted }) => isTrusted && tell({ dropleaf: "used" }), {
      capture: true,
      once: true,
      passive: true,
    });
  addEventListener("scroll", () => tell({ dropleaf: "place", px: scrollY }), { passive: true });
  addEventListener("DOMContentLoaded", () => {
    tell({ dropleaf: "ready", path: location.pathname });
    tellAddress(true);
    new ResizeObserver(() => tell({ dropleaf: "height", px: document.documentElement.scrollHeight })).observe(
      document.documentElement,
    );
  });
  for (const name of ["pushState", "replaceState"] as const) {
    const change = history[name].bind(history);
    history[name] = (...given) => {
      change(...given);
      tellAddress();
    };
  }
  for (const type of ["popstate", "hashchange"]) addEventListener(type, () => tellAddress());
}

function tellAddress(isArrival = false): void {
  const { pathname, search, hash } = location;
  tell({ dropleaf: "at", address: pathname + search + hash, title: document.title, isArrival });
}

/**
 * Scrolls to a position. Scrolls again after the images have loaded, because the page may be too short until then. Does not scroll again if
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

/**
 * Script of the viewer for its frame: it opens links, passes on the fragment, and prints the page. Messages of the
 * frame are not trusted and count only right after a click in it.
 */
import { findElement } from "../html/find-element.client.ts";
import { isFromWithin, isPrintKey, parseUrl } from "./frame/frame-input.client.ts";
import type { FrameMessage, ViewerMessage } from "./frame/frame-messages.ts";
import { renewKeys } from "./renew-key.client.ts";
import { followPages } from "./viewer-address.client.ts";

/** Addresses of a site, and those that open another program without changing this window. */
const leadsOut = /^(https?|mailto|tel|sms):/;
/** Folders' hosts, and owners' paths on their own hosts and the service's. Other addresses may contain private data. */
const published = /^(f--|[^/]+(\/@[^/]+)?\/([pdb]\/|$))/;
/** Attempts to bring back a page that has left the frame. */
const bringsBackMax = 3;
const bringsBackWithinMs = 60_000;
const readyWithinMs = 2_000;
/** A reader's click allows one address, also in browsers that do not consume the click. */
const onceInMs = 500;
/**
 * Starting another program does not consume the click, which browsers count for five seconds. Until then the next
 * address is offered in a notice.
 */
const programTakesMs = 4_500;

/** Texts of the notice. Notices of refused needs have separate names. */
type Texts = Record<"service" | "kept" | "user", string>;

/**
 * Connects the frame. `touch` is called for each reported sign of a reader in the frame, which may be forged, with
 * their scroll position; without one, the reader has used the page.
 */
export function connectFrame(frame: HTMLIFrameElement, touch: (px?: number) => void): void {
  const offer = findElement("way-out");
  const link = offer.firstElementChild as HTMLAnchorElement;
  const { service, kept, user } = offer.dataset as Readonly<Texts>;
  const { textContent: offered } = link;
  const raw = findElement<HTMLAnchorElement>("raw");
  const followPage = followPages(frame);
  /** Notices of refusals that were already shown. */
  const shown = new Set<string>();
  const shownSite = document.createElement("b");
  let openedAtMs = -onceInMs;
  /** Counts of the page's greetings and of the frame's loads. */
  let pages = 0;
  let loads = 0;
  const broughtBackAtMs: number[] = [];
  const renewKeyOf = renewKeys();

  /** The frame shows something else or nothing: its new address may not be shown there. */
  const showFrameAgain = () => {
    show(kept, raw.href);
    const nowMs = performance.now();
    if (nowMs - (broughtBackAtMs.at(-bringsBackMax) ?? -bringsBackWithinMs) < bringsBackWithinMs) return;
    broughtBackAtMs.push(nowMs);
    loads = pages;
    frame.src += "";
  };

  const tell = (message: ViewerMessage) => frame.contentWindow?.postMessage(message, "*");
  const tellFragment = () => {
    if (location.hash) tell({ dropleaf: "fragment", hash: location.hash });
  };
  // A window keeps its name from page to page, and pages of other drops in it learn at most a number.
  const tellPlace = () => {
    tell({ dropleaf: "place", px: +window.name });
    window.name = "";
  };

  /** Shows a notice, which has no link without `href`. A long site loses its start, because its end names the owner. */
  const show = (words: string, href: string | undefined, site = "", rest = "") => {
    if (href) link.href = href;
    else link.removeAttribute("href");
    shownSite.textContent = site.replace(/\w.+(.{80})/, "…$1");
    link.replaceChildren(words, shownSite, rest.slice(0, 40));
    offer.hidden = false;
  };

  const open = (text: string) => {
    const url = parseUrl(text);
    // Other addresses, such as data, belong to the page: they open the page without the viewer.
    if (!url || !leadsOut.test(url.href)) return;
    const { href, protocol, host } = url;
    // A user name reads like the site of an address (RFC 3986, section 7.6).
    if (url.username || url.password) {
      show(user, "", host);
      return;
    }
    // A click in the frame is also one in this window (HTML Standard, "Tracking user activation").
    const isOffered =
      !navigator.userActivation?.isActive ||
      (isOfService(url, service) && !published.test(host + url.pathname));
    const nowMs = performance.now();
    if (isOffered || nowMs - openedAtMs < onceInMs) {
      const site = protocol + (host && `//${host}`);
      show(offered, href, site, href.replace(site, ""));
      return;
    }
    openedAtMs = nowMs;
    if (host) window.open(url, "_blank", "noreferrer");
    else {
      openedAtMs += programTakesMs;
      location.href = href;
    }
  };

  addEventListener("message", ({ source, data }: MessageEvent<FrameMessage | undefined>) => {
    // A page in a frame of the framed page only reports the targets of its links.
    const isInner = data?.dropleaf === "open" || data?.dropleaf === "kept";
    if (source !== frame.contentWindow && !(isInner && isFromWithin(frame.contentWindow, source))) return;
    switch (data?.dropleaf) {
      case "ready":
        renewKeyOf(String(data.path));
        // Later pages of the folder have their own fragments.
        if (pages++ <= broughtBackAtMs.length) tellFragment();
        return tellPlace();
      case "at":
        return followPage(data);
      case "place":
        return touch(Number(data.px));
      case "used":
        return touch();
      case "open":
        return open(String(data.url));
      case "kept":
        return show(kept, raw.href);
      case "refused": {
        const alone = offer.getAttribute(`data-alone-${data.what}`);
        const words = alone ?? offer.getAttribute(`data-here-${data.what}`);
        if (words === null || shown.has(words)) return;
        shown.add(words);
        return show(words, alone ? raw.href : undefined);
      }
      case "selected":
        if (pages) loads = Math.min(loads, pages);
        return;
      case "height":
        // The page sent its greeting before this script ran, so it has already loaded.
        pages ||= 1;
        frame.style.setProperty("--page-height", `${Math.min(Number(data.px) || 0, 1e6)}px`);
    }
  });
  // A script, or a link that the page hides from ours, has navigated the frame to a blocked address. No browser reveals
  // the whole address.
  addEventListener("securitypolicyviolation", ({ effectiveDirective }) => {
    if (effectiveDirective === "frame-src") showFrameAgain();
  });
  frame.addEventListener("load", () => {
    const load = ++loads;
    // In Chromium a step back within the page is also a load. The existing page responds.
    tell({ dropleaf: "selection" });
    setTimeout(() => {
      // Only the last load counts: a page's greeting may arrive after its load. A frame that never had a published page keeps its gate or
      // error page.
      if (load === loads && pages < loads && pages) showFrameAgain();
    }, readyWithinMs);
  });
  addEventListener("hashchange", tellFragment);
  addEventListener("keydown", (event) => {
    if (!isPrintKey(event)) return;
    event.preventDefault();
    tell({ dropleaf: "print" });
  });
  findElement<HTMLButtonElement>("print").addEventListener("click", () => tell({ dropleaf: "print" }));
  offer.addEventListener("click", () => {
    offer.hidden = true;
  });
}

function isOfService({ host }: URL, service: string): boolean {
  return `.${host}`.endsWith(`.${service}`) || host === location.host;
}

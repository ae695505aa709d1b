/**
 * Viewer script for the frame: opens links, passes on the fragment, and prints the page. The frame's messages are not
 * trusted. Links open only right after a click in the frame.
 */
import { findElement } from "../html/find-element.client.ts";
import { isFromWithin, isPrintKey, parseUrl } from "./frame/frame-input.client.ts";
import type { FrameMessage, ViewerMessage } from "./frame/frame-messages.ts";
import { followPages } from "./viewer-address.client.ts";

/** URL schemes of web pages, and schemes that start another program without leaving this window. */
const leadsOut = /^(https?|mailto|tel|sms):/;
/** Matches host and path of published content: on folders' hosts, owners' hosts and the service's host. Other URLs may contain private data. */
const published = /^(f--|[^/]+(\/@[^/]+)?\/([pdb]\/|$))/;
/** Maximum reloads of a page that has left the frame, within `bringsBackWithinMs`. */
const bringsBackMax = 3;
const bringsBackWithinMs = 60_000;
const readyWithinMs = 2_000;
/** Minimum time between two opened URLs. This limit allows one URL for each click, even in browsers that do not consume user activation. */
const onceInMs = 500;
/**
 * Starting another program does not consume user activation, which lasts five seconds in browsers. For that time, a
 * notice offers any further URL instead of opening it.
 */
const programTakesMs = 4_500;

/** Texts of the notice, by data attribute. Notices about refused features have other attributes. */
type Texts = Record<"service" | "kept" | "user", string>;

/**
 * Connects the frame.
 *
 * @param touch called when the frame reports reader activity. Receives the page's new scroll position, or nothing after input by the
 * reader. The page can forge these reports.
 */
export function connectFrame(frame: HTMLIFrameElement, touch: (px?: number) => void): void {
  const offer = findElement("way-out");
  const link = offer.firstElementChild as HTMLAnchorElement;
  const { service, kept, user } = offer.dataset as Readonly<Texts>;
  const { textContent: offered } = link;
  const raw = findElement<HTMLAnchorElement>("raw");
  const followPage = followPages(frame);
  /** Refusal notices that were already shown. */
  const shown = new Set<string>();
  const shownSite = document.createElement("b");
  let openedAtMs = -onceInMs;
  /** Number of `ready` messages from the page, and number of the frame's loads. */
  let pages = 0;
  let loads = 0;
  const broughtBackAtMs: number[] = [];
  const renewKeyOf = renewKeys();

  /** Reloads the published page after the frame has navigated to a URL that the viewer may not show. */
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
  // The scroll position is kept in `window.name`, which survives navigation. Pages of other drops in this window can
  // read only a number.
  const tellPlace = () => {
    tell({ dropleaf: "place", px: +window.name });
    window.name = "";
  };

  /**
   * Shows a notice. The notice's link needs `href`. A long host name is truncated at the start, because its end identifies the site's
   * owner.
   */
  const show = (words: string, href: string | undefined, site = "", rest = "") => {
    if (href) link.href = href;
    else link.removeAttribute("href");
    shownSite.textContent = site.replace(/\w.+(.{80})/, "…$1");
    link.replaceChildren(words, shownSite, rest.slice(0, 40));
    offer.hidden = false;
  };

  const open = (text: string) => {
    const url = parseUrl(text);
    // Ignores other URLs, such as data URLs. These URLs work if the page is opened without the viewer.
    if (!url || !leadsOut.test(url.href)) return;
    const { href, protocol, host } = url;
    // A user name in a URL can look like the host (RFC 3986, section 7.6).
    if (url.username || url.password) {
      show(user, "", host);
      return;
    }
    // A click in the frame also activates this window (HTML Standard, "Tracking user activation").
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
    // Accepts only reports of opened links from pages in nested frames.
    const isInner = data?.dropleaf === "open" || data?.dropleaf === "kept";
    if (source !== frame.contentWindow && !(isInner && isFromWithin(frame.contentWindow, source))) return;
    switch (data?.dropleaf) {
      case "ready":
        renewKeyOf(String(data.path));
        // Only the first page gets the viewer's fragment. Later pages of the folder have their own fragments.
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
        // The page may have sent its `ready` message before this script ran.
        pages ||= 1;
        frame.style.setProperty("--page-height", `${Math.min(Number(data.px) || 0, 1e6)}px`);
    }
  });
  // The frame was navigated to a blocked URL, by a script or by a link that our script did not see. Browsers do not
  // reveal the full URL.
  addEventListener("securitypolicyviolation", ({ effectiveDirective }) => {
    if (effectiveDirective === "frame-src") showFrameAgain();
  });
  frame.addEventListener("load", () => {
    const load = ++loads;
    // In Chromium, going back within the page also fires `load`. The page is then still in the frame, and responds to this message.
    tell({ dropleaf: "selection" });
    setTimeout(() => {
      // Checks only the last load, because a page's `ready` message may arrive after its load. If the frame has never shown a published
      // page, the frame keeps its passcode or error page.
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

const renewAfterMs = 300_000;
const checkEveryMs = 60_000;

/**
 * Renews the key of a guarded folder while the viewer is open, because the frame has no cookies, and the key in its URLs
 * would expire. `folder-keys.ts` defines how long a key is valid.
 *
 * @returns a function that takes the URL path of the framed page, which contains the key. The page can forge the path
 */
function renewKeys(): (path: string) => void {
  let address: string | undefined;
  let renewedAtMs = 0;

  // Compares wall-clock times, because timers do not run while a laptop sleeps.
  const renew = async () => {
    if (!address || Date.now() - renewedAtMs < renewAfterMs) return;
    renewedAtMs = Date.now();
    const response = await fetch(address).catch(() => undefined);
    // After a failure, the next check sends the request again.
    if (!response?.ok) renewedAtMs = 0;
  };

  setInterval(renew, checkEveryMs);
  for (const type of ["visibilitychange", "focus", "online"]) addEventListener(type, renew);
  return (path) => {
    const [key] = /^\/p\/\w{7}\/raw\/@k[\w-]{40,200}\//.exec(path) ?? [];
    if (!key || key === address || !location.pathname.includes(key.slice(3, 10))) return;
    address = key;
    renewedAtMs = Date.now();
  };
}

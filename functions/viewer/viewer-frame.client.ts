/**
 * Viewer script for the frame: opens links, passes on the fragment, and prints the page. The frame's messages are not
 * trusted. Links open only right after a click in the frame.
 */
import { findElement } from "../html/find-element.client.ts";
import { isFromWithin, isPrintKey, parseUrl, pathInFolder } from "./frame/frame-input.client.ts";
import type { FrameMessage, ViewerMessage } from "./frame/frame-messages.ts";

/** URL schemes of web pages, and schemes that start another program without leaving this window. */
const leadsOut = /^(https?|mailto|tel|sms):/;
/** Matches host and path of published content: on folders' hosts, owners' hosts and the service's host. Other URLs may contain private data. */
const published = /^(f--|[^/]+(\/@[^/]+)?\/([pdb]\/|$))/;
/** Maximum reloads of a page that has left the frame, within `reloadsWithinMs`. */
const reloadsMax = 3;
const reloadsWithinMs = 60_000;
const readyWithinMs = 2_000;
/** Minimum time between two opened URLs. This limit allows one URL for each click, even in browsers that do not consume user activation. */
const openIntervalMs = 500;
/**
 * Starting another program does not consume user activation, which lasts five seconds in browsers. For that time, a
 * notice offers any further URL instead of opening it.
 */
const programStartMs = 4_500;

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
  let openedAtMs = -openIntervalMs;
  /** Number of `ready` messages from the page, and number of the frame's loads. */
  let pages = 0;
  let loads = 0;
  const reloadedAtMs: number[] = [];
  const renewKeyOf = renewKeys();

  /** Reloads the published page after the frame has navigated to a URL that the viewer may not show. */
  const showFrameAgain = () => {
    show(kept, raw.href);
    const nowMs = performance.now();
    if (nowMs - (reloadedAtMs.at(-reloadsMax) ?? -reloadsWithinMs) < reloadsWithinMs) return;
    reloadedAtMs.push(nowMs);
    loads = pages;
    frame.src += "";
  };

  const send = (message: ViewerMessage) => frame.contentWindow?.postMessage(message, "*");
  const sendFragment = () => {
    if (location.hash) send({ dropleaf: "fragment", hash: location.hash });
  };
  // The scroll position is stored in `window.name`, which survives navigation. Pages of other drops in this window can
  // read only a number.
  const sendScrollPosition = () => {
    send({ dropleaf: "place", px: +window.name });
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
    if (isOffered || nowMs - openedAtMs < openIntervalMs) {
      const site = protocol + (host && `//${host}`);
      show(offered, href, site, href.replace(site, ""));
      return;
    }
    openedAtMs = nowMs;
    if (host) window.open(url, "_blank", "noreferrer");
    else {
      openedAtMs += programStartMs;
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
        if (pages++ <= reloadedAtMs.length) sendFragment();
        return sendScrollPosition();
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
    send({ dropleaf: "selection" });
    setTimeout(() => {
      // Checks only the last load, because a page's `ready` message may arrive after its load. If the frame has never shown a published
      // page, the frame keeps its passcode or error page.
      if (load === loads && pages < loads && pages) showFrameAgain();
    }, readyWithinMs);
  });
  addEventListener("hashchange", sendFragment);
  addEventListener("keydown", (event) => {
    if (!isPrintKey(event)) return;
    event.preventDefault();
    send({ dropleaf: "print" });
  });
  findElement<HTMLButtonElement>("print").addEventListener("click", () => send({ dropleaf: "print" }));
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

/** Query parameters that belong to the service; see docs/adr/0025-requests-at-the-edge.md. */
const serviceParameter = /^(v|version|framed|download|drawn)(=|$)/;
const titleMax = 200;

/**
 * Returns a function that updates the viewer's URL, title and bar links when the frame shows another page of the folder.
 * The framed page can report any URL, so the viewer's URL changes only to a path below the folder, with the page's query
 * and fragment.
 */
function followPages(
  frame: HTMLIFrameElement,
): (arrival: Extract<FrameMessage, { readonly dropleaf: "at" }>) => void {
  const { folder, title: entryTitle = "" } = frame.dataset;
  let shownPath = frame.dataset.path;
  return ({ address, title, isArrival }) => {
    const reported = parseUrl(String(address), location.origin);
    const path = reported && pathInFolder(reported.pathname);
    if (folder === undefined || reported === undefined || path === undefined) return;
    const { pathname } = new URL(folder + (path && `/${path}`), location.origin);
    const isInside = pathname === folder || pathname.startsWith(folder.concat("/"));
    if (!isInside || pathname.includes("//")) return;
    // Keeps the viewer's fragment, because the viewer sends it to the page after the load.
    if (isArrival && path === shownPath && !reported.hash) return;
    const own = reported.search
      .slice(1)
      .split("&")
      .filter((pair) => pair && !serviceParameter.test(pair));
    const pin = /[?&]v(?:ersion)?(=\d+)/.exec(location.search)?.[1];
    const query = [...(pin ? [`v${pin}`] : []), ...own].join("&");
    history.replaceState(history.state, "", pathname + (query && `?${query}`) + reported.hash);
    if (path === shownPath) return;
    shownPath = path;
    document.title = (path && String(title).trim().slice(0, titleMax)) || entryTitle;
    updateLinks(path, own.join("&"));
  };
}

/** Points the bar's links to a page of the folder. */
function updateLinks(path: string, query: string): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>("a[data-folder]"))
    link.href = link.dataset.folder + (path && `/${path}`);
  findElement<HTMLAnchorElement>("raw").search = query;
  for (const link of document.querySelectorAll<HTMLAnchorElement>("a[data-takes-path]")) {
    const url = new URL(link.href);
    url.searchParams.set("path", decoded(path));
    link.href = url.href;
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return "";
  }
}

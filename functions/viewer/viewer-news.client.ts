/**
 * Polls the drop's state while the page is visible, and announces changes; see docs/adr/0058-viewer-polling.md. A new
 * version reloads the viewer. If the reader has interacted with the page, a notice offers the new version instead.
 */
import { findElement } from "../html/find-element.client.ts";
import {
  abandonedAfterMs,
  abandonedIntervalMs,
  activeForMs,
  activeIntervalMs,
  type DropState,
  failureIntervalMsMax,
  idleIntervalMs,
  readerActiveIntervalMs,
} from "./drop-state.ts";

/** Minimum time between reloads for the same version. This time is longer than the edge's cache time for a viewer. */
const reloadedAgainAfterMs = 3_000;

/**
 * Starts polling.
 * @returns a function to call when the frame reports activity: with the page's new scroll position, or without argument
 * after input by the reader (a scroll, key press, click or selection)
 */
export function watchForUpdates(): (px?: number) => void {
  const news = findElement("news");
  const [said, link, close] = news.children as unknown as [Element, Element, Element];
  const { url = "", latest = "", ...words } = news.dataset;
  const everyMs: number = url.includes("reader") ? readerActiveIntervalMs : activeIntervalMs;
  let failingMs = everyMs;
  let touchedMs = 0;
  /** Time at which the viewer opened, its tab became visible or the drop changed, whichever was last. */
  let activeSinceMs = 0;
  let place = 0;
  let isUsed = false;
  const { search } = location;
  const isLive = /[?&]live=1(&|$)/.test(search);
  /** The URL names a version, so the viewer never reloads for a newer version. */
  const isPinned = /[?&]v(ersion)?=/.test(search);
  /** True while a request is pending, and after polling has ended. */
  let isPaused = false;

  const touch = (px?: number) => {
    if (px === undefined) isUsed = true;
    else place = px;
    touchedMs = performance.now();
  };
  /** Reloads for a new version. Does nothing if a recent reload for this version still got an older version from the edge cache. */
  const reloadFor = (version: number) => {
    const { reloaded, atMs } = (history.state ?? {}) as {
      readonly reloaded?: number;
      readonly atMs?: number;
    };
    if (reloaded === version && Date.now() - Number(atMs) < reloadedAgainAfterMs) return false;
    history.replaceState({ reloaded: version, atMs: Date.now() }, "");
    window.name = String(place);
    location.reload();
    return true;
  };

  const showState = ({ state, latest_version }: DropState) => {
    isPaused = state !== "open";
    const difference = Number(latest_version) - Number(latest);
    const kind = isPaused ? state : difference > 0 ? "newer" : difference && "older";
    const text = words[kind]?.replace("#", String(latest_version)) ?? "";
    if (kind === "newer" && !isPinned && (isLive || !isUsed) && reloadFor(Number(latest_version))) return;
    // A closed notice stays closed until the state changes again.
    if (text === said.textContent) return;
    said.textContent = text;
    news.hidden = !text;
    activeSinceMs = performance.now();
  };

  const intervalMs = () => {
    const nowMs = performance.now();
    if (nowMs - touchedMs > abandonedAfterMs && !isLive) return abandonedIntervalMs;
    return nowMs - activeSinceMs < activeForMs ? everyMs : idleIntervalMs;
  };

  const poll = async (event?: Event) => {
    clearTimeout(timer);
    if (event) touch(place);
    if (event?.type === "visibilitychange") activeSinceMs = performance.now();
    if (isPaused || document.hidden) return;
    isPaused = true;
    let retryAfter: string | null = "";
    let waitMs: number;
    try {
      const response = await fetch(url);
      retryAfter = response.headers.get("retry-after");
      if (!response.ok) throw response;
      showState(await response.json());
      failingMs = everyMs;
      waitMs = intervalMs();
    } catch {
      isPaused = false;
      failingMs = Math.min(2 * failingMs, failureIntervalMsMax);
      waitMs = Math.max(failingMs, Number(retryAfter) * 1_000);
    }
    timer = setTimeout(poll, waitMs);
  };

  let timer = setTimeout(poll, everyMs);
  for (const type of ["keydown", "pointerdown"]) addEventListener(type, () => touch());
  for (const type of ["visibilitychange", "focus", "blur", "online"]) addEventListener(type, poll);
  link.addEventListener("click", () => {
    window.name = String(place);
  });
  close.addEventListener("click", () => {
    news.hidden = true;
  });
  return touch;
}

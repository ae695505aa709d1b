/**
 * Polls the drop's state while the page is visible, and announces changes: docs/adr/0058-viewer-polling.md. The page in the frame
 * stays until its reader reloads it.
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

/** Returns a function to call for each sign of a reader in the frame, with their scroll position. */
export function watchForUpdates(): (px: number) => void {
  const news = findElement("news");
  const [said, link, close] = news.children as unknown as [Element, Element, Element];
  const { url = "", latest = "", ...words } = news.dataset;
  const everyMs: number = url.includes("reader") ? readerActiveIntervalMs : activeIntervalMs;
  let failingMs = everyMs;
  let touchedMs = 0;
  /** The time when the viewer opened, its tab was seen again, or the drop changed. */
  let activeSinceMs = 0;
  let place = 0;
  /** Also true when polling has ended. */
  let isAsking = false;

  const touch = (px: number) => {
    place = px;
    touchedMs = performance.now();
  };

  const say = ({ state, latest_version }: DropState) => {
    isAsking = state !== "open";
    const difference = Number(latest_version) - Number(latest);
    const kind = isAsking ? state : difference > 0 ? "newer" : difference && "older";
    const text = words[kind]?.replace("#", String(latest_version)) ?? "";
    // A closed notice stays closed until the next one.
    if (text === said.textContent) return;
    said.textContent = text;
    news.hidden = !text;
    activeSinceMs = performance.now();
  };

  const intervalMs = () => {
    const nowMs = performance.now();
    if (nowMs - touchedMs > abandonedAfterMs) return abandonedIntervalMs;
    return nowMs - activeSinceMs < activeForMs ? everyMs : idleIntervalMs;
  };

  const ask = async (sign?: Event) => {
    clearTimeout(timer);
    if (sign) touch(place);
    if (sign?.type === "visibilitychange") activeSinceMs = performance.now();
    if (isAsking || document.hidden) return;
    isAsking = true;
    let retryAfter: string | null = "";
    let waitMs: number;
    try {
      const response = await fetch(url);
      retryAfter = response.headers.get("retry-after");
      if (!response.ok) throw response;
      say(await response.json());
      failingMs = everyMs;
      waitMs = intervalMs();
    } catch {
      isAsking = false;
      failingMs = Math.min(2 * failingMs, failureIntervalMsMax);
      waitMs = Math.max(failingMs, Number(retryAfter) * 1_000);
    }
    timer = setTimeout(ask, waitMs);
  };

  let timer = setTimeout(ask, everyMs);
  for (const type of ["visibilitychange", "focus", "blur", "online"]) addEventListener(type, ask);
  link.addEventListener("click", () => {
    window.name = String(place);
  });
  close.addEventListener("click", () => {
    news.hidden = true;
  });
  return touch;
}

/**
 * Script of the viewer's bar: context, copy link, share, full screen, and closing on Escape, on a press outside, or
 * when the frame takes the focus. It contains no texts. Without a clipboard, the copy link is followed, so that the
 * address bar holds the URL.
 */
import { copyOnPress } from "../html/copy-button.client.ts";
import { findElement } from "../html/find-element.client.ts";
import "../html/local-times.client.ts";
import { connectFrame } from "./viewer-frame.client.ts";
import { handleKeys } from "./viewer-keys.client.ts";
import { watchForUpdates } from "./viewer-news.client.ts";

const frame = findElement<HTMLIFrameElement>("page");
const menus = [...document.querySelectorAll("details")];
const copy = findElement<HTMLAnchorElement>("copy-link");
const fullScreen = findElement<HTMLButtonElement>("full-screen");
const share = findElement<HTMLButtonElement>("share");
/** Exists only if the shown version has context. */
const hideContext = document.getElementById("context") ? prepareContext() : undefined;

copyOnPress(copy, copy.querySelector("span"), {
  text: () => copy.href,
  otherwise: () => {
    location.href = copy.href;
  },
});
pressAsButton(copy);
connectFrame(frame, watchForUpdates());
handleKeys(closeMenus);

share.hidden = !navigator.share;
share.addEventListener("click", () => {
  closeMenus();
  // Rejects if the reader cancels.
  navigator.share({ title: document.title, url: copy.href }).catch(() => {});
});

fullScreen.hidden = !document.fullscreenEnabled;
fullScreen.addEventListener("click", () => {
  closeMenus();
  frame.requestFullscreen();
});

addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const open = menus.find((menu) => menu.open);
  if (open) {
    open.open = false;
    open.querySelector("summary")?.focus();
  } else hideContext?.();
});
addEventListener("pointerdown", (event) => {
  for (const menu of menus) if (!menu.contains(event.target as Node)) menu.open = false;
});
addEventListener("blur", () => {
  if (document.activeElement === frame) closeMenus();
});

function closeMenus(): void {
  for (const menu of menus) menu.open = false;
}

/** Lets the space bar press a link that the script has turned into a button. */
function pressAsButton(link: HTMLAnchorElement): void {
  link.role = "button";
  link.addEventListener("keydown", (event) => {
    if (event.key !== " ") return;
    event.preventDefault();
    link.click();
  });
}

/**
 * Prepares the panel of the context, which is fetched when it is first shown, and again after a failure. Returns a
 * function that hides it.
 */
function prepareContext(): () => void {
  const more = document.querySelector<HTMLElement>(".more > summary");
  const toggle = findElement<HTMLAnchorElement>("context-toggle");
  const panel = findElement("context");
  const state = findElement("context-state");
  const failed = findElement("context-failed");
  const content = findElement("context-text");
  let requested = false;

  const fetchContext = async () => {
    if (requested) return;
    requested = true;
    failed.hidden = true;
    state.hidden = false;
    try {
      const response = await fetch(toggle.href);
      if (!response.ok) throw response;
      content.textContent = await response.text();
    } catch {
      requested = false;
      failed.hidden = false;
    }
    state.hidden = true;
  };
  const show = (open: boolean) => {
    panel.hidden = !open;
    toggle.setAttribute("aria-expanded", String(open));
    closeMenus();
    if (open) {
      panel.focus();
      void fetchContext();
    } else (more?.offsetWidth ? more : toggle).focus();
  };

  toggle.setAttribute("aria-controls", panel.id);
  toggle.setAttribute("aria-expanded", "false");
  toggle.addEventListener("click", (event) => {
    event.preventDefault();
    show(panel.hidden !== false);
  });
  findElement<HTMLButtonElement>("context-close").addEventListener("click", () => show(false));
  pressAsButton(toggle);
  return () => {
    if (!panel.hidden) show(false);
  };
}

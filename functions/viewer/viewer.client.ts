/**
 * Script of the viewer's bar: panels, copy link, send link and full screen. Menus close on Escape, on a press outside,
 * or when the frame gets the focus. The script contains no texts. In browsers without a clipboard, the copy link opens
 * its URL, so that the reader can copy it from the address bar.
 */
import { copyOnPress } from "../html/copy-button.client.ts";
import { findElement } from "../html/find-element.client.ts";
import "../html/local-times.client.ts";
import { closeSidePanel, connectSidePanel, pressAsButton } from "./side-panel.client.ts";
import { connectAnswers } from "./viewer-answers.client.ts";
import { connectComments } from "./viewer-comments.client.ts";
import { connectFrame } from "./viewer-frame.client.ts";
import { handleKeys } from "./viewer-keys.client.ts";
import { watchForUpdates } from "./viewer-news.client.ts";
import { connectShare } from "./viewer-share.client.ts";

const frame = findElement<HTMLIFrameElement>("page");
const menus = [...document.querySelectorAll("details")];
const copy = findElement<HTMLAnchorElement>("copy-link");
const fullScreen = findElement<HTMLButtonElement>("full-screen");
const sendLink = findElement<HTMLButtonElement>("send-link");

copyOnPress(copy, copy.querySelector("span"), {
  text: () => copy.href,
  otherwise: () => {
    location.href = copy.href;
  },
});
pressAsButton(copy);
connectFrame(frame, watchForUpdates());
connectComments(frame, closeMenus);
connectShare(closeMenus);
connectAnswers(frame);
// The panel exists only if the shown version has a context.
if (document.getElementById("context")) connectSidePanel("context", showContext, closeMenus);
handleKeys(closeMenus);

sendLink.hidden = !navigator.share;
sendLink.addEventListener("click", () => {
  closeMenus();
  // `share` rejects if the reader cancels.
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
  } else closeSidePanel();
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

/** Fetches the context and shows it as text. */
async function showContext(content: HTMLElement, address: string): Promise<void> {
  const response = await fetch(address);
  if (!response.ok) throw response;
  content.textContent = await response.text();
}

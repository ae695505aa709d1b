/**
 * Script of the viewer's bar: panels, copy link, send link and full screen. Menus close on Escape, on a press outside,
 * or when the frame gets the focus. The script contains no texts. In browsers without a clipboard, the copy link opens
 * its URL, so that the reader can copy it from the address bar.
 */
import { copyOnPress } from "../html/copy-button.client.ts";
import { findElement } from "../html/find-element.client.ts";
import "../html/local-times.client.ts";
import { createPanelSection } from "./panel-section.client.ts";
import { closeSidePanel, connectSidePanel, pressAsButton } from "./side-panel.client.ts";
import { connectAnswers } from "./viewer-answers.client.ts";
import { connectComments } from "./viewer-comments.client.ts";
import { connectFrame } from "./viewer-frame.client.ts";
import { watchForUpdates } from "./viewer-news.client.ts";

const frame = findElement<HTMLIFrameElement>("page");
const menus = [...document.querySelectorAll("details")];
const copy = findElement<HTMLAnchorElement>("copy-link");
const fullScreen = findElement<HTMLButtonElement>("full-screen");
const sendLink = findElement<HTMLButtonElement>("send-link");
/** `localStorage` key for the choice to turn the keyboard shortcuts off. */
const storageKey = "dropleaf-keys";

copyOnPress(copy, copy.querySelector("span"), {
  text: () => copy.href,
  otherwise: () => {
    location.href = copy.href;
  },
});
pressAsButton(copy);
connectFrame(frame, watchForUpdates());
connectComments(frame, closeMenus);
connectShare();
connectAnswers(frame);
// The panel exists only if the shown version has a context.
if (document.getElementById("context")) connectSidePanel("context", showContext, closeMenus);
handleKeys();

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

/**
 * Connects the owner's share panel, if the reader is the owner. The panel shows the share section of the drop's page at
 * `/account`, and submits the section's form.
 */
function connectShare(): void {
  const toggle = document.getElementById("share-toggle") as HTMLAnchorElement | null;
  if (!toggle) return;
  const panel = findElement("share");
  const side = connectSidePanel("share", (_, address) => load(address), closeMenus);
  const { root, load } = createPanelSection(side.content, ".share", {
    onShown(isSent) {
      const copy = root.querySelector<HTMLElement>("[data-copies]");
      const link = root.querySelector<HTMLAnchorElement>("#link");
      if (copy && link)
        copyOnPress(copy, copy.firstElementChild, {
          text: () => link.href,
          otherwise: () => getSelection()?.selectAllChildren(link),
        });
      if (isSent) panel.focus();
      else root.querySelector<HTMLElement>("[autofocus]")?.focus();
    },
    onFailure: (isFailed) => side.showFailure(isFailed),
  });
  toggle.addEventListener("click", () => {
    // Reloads the section, because readers and the drop may have changed since it was last shown.
    if (!panel.hidden && root.firstChild) load(toggle.href).catch(() => side.showFailure(true));
  });
}

/**
 * Handles keyboard shortcuts and their dialog. A key without modifiers activates the control that has the key in
 * `aria-keyshortcuts`. The dialog lists the keys and can turn them off.
 */
function handleKeys(): void {
  const dialog = findElement<HTMLDialogElement>("keys-shown");
  const on = findElement<HTMLInputElement>("keys-on");
  on.checked = areOn();
  on.addEventListener("change", () => storeChoice(on.checked));
  findElement<HTMLButtonElement>("keys").addEventListener("click", () => {
    closeMenus();
    dialog.showModal();
  });
  addEventListener("keydown", (event) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    // For a field in a side panel, `target` is the panel's shadow host, so the first element of the path is used.
    const [field] = event.composedPath();
    const isTyping = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
    if (ctrlKey || metaKey || altKey || dialog.open || !on.checked || isTyping) return;
    const controls = document.querySelectorAll<HTMLElement>("[aria-keyshortcuts]:not([hidden])");
    [...controls].find(({ ariaKeyShortcuts }) => ariaKeyShortcuts === key)?.click();
  });
}

function areOn(): boolean {
  try {
    return localStorage.getItem(storageKey) !== "off";
  } catch {
    // Without storage, shortcuts are on at every visit.
    return true;
  }
}

function storeChoice(isOn: boolean): void {
  try {
    localStorage.setItem(storageKey, isOn ? "on" : "off");
  } catch {
    // Without storage, the choice applies only to this visit.
  }
}

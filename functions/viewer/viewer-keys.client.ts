/**
 * Handles keyboard shortcuts and their dialog. A key without modifiers activates the control that has the key in
 * `aria-keyshortcuts`. The dialog lists the keys and can turn them off.
 */
import { findElement } from "../html/find-element.client.ts";

const keptAs = "dropleaf-keys";

/** @param prepare runs before the dialog opens */
export function handleKeys(prepare: () => void): void {
  const dialog = findElement<HTMLDialogElement>("keys-shown");
  const on = findElement<HTMLInputElement>("keys-on");
  on.checked = areOn();
  on.addEventListener("change", () => storeChoice(on.checked));
  findElement<HTMLButtonElement>("keys").addEventListener("click", () => {
    prepare();
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
    return localStorage.getItem(keptAs) !== "off";
  } catch {
    // Without storage, shortcuts are on at every visit.
    return true;
  }
}

function storeChoice(isOn: boolean): void {
  try {
    localStorage.setItem(keptAs, isOn ? "on" : "off");
  } catch {
    // Without storage, the choice applies only to this visit.
  }
}

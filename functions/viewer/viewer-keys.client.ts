/**
 * Keys without a modifier that press the control with them as `aria-keyshortcuts`, and the dialog that lists them and
 * turns them off.
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
    // Of a field in a side panel, `target` is the element around the panel's shadow root.
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
    // Without storage in the browser, keys are on at each visit.
    return true;
  }
}

function storeChoice(isOn: boolean): void {
  try {
    localStorage.setItem(keptAs, isOn ? "on" : "off");
  } catch {
    // The choice then holds for this visit.
  }
}

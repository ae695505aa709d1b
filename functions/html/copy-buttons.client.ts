/** Makes each button with `data-copies` copy the link or text of the element with this id. Without a clipboard, selects the text instead. */
import { copyOnPress } from "./copy-button.client.ts";
import { findElement } from "./find-element.client.ts";

for (const button of document.querySelectorAll<HTMLElement>("[data-copies]")) {
  const source = findElement(button.dataset.copies ?? "");
  copyOnPress(button, button.firstElementChild, {
    text: () => (source instanceof HTMLAnchorElement ? source.href : (source.textContent ?? "")),
    otherwise: () => getSelection()?.selectAllChildren(source),
  });
}

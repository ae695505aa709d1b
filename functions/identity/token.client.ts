/** Copies the text beside a button. Without a clipboard it selects the text, to be copied by hand. */
import { copyOnPress } from "../html/copy-button.client.ts";
import { findElement } from "../html/find-element.client.ts";

for (const button of document.querySelectorAll<HTMLElement>("[data-copies]")) {
  const source = findElement(button.dataset.copies ?? "");
  copyOnPress(button, button.firstElementChild, {
    text: () => source.textContent ?? "",
    otherwise: () => getSelection()?.selectAllChildren(source),
  });
}

/** Copies what stands beside a button; where there is no clipboard, it selects it, to be copied by hand. */
import { copyOnPress } from "../html/copy-button.client.ts";
import { findElement } from "../html/find-element.client.ts";

for (const button of document.querySelectorAll<HTMLElement>("[data-copies]")) {
  const source = findElement(button.dataset.copies ?? "");
  copyOnPress(button, button.firstElementChild, {
    text: () => source.textContent ?? "",
    otherwise: () => getSelection()?.selectAllChildren(source),
  });
}

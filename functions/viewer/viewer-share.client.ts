/**
 * Share panel beside the page, for the owner. The panel shows the share section of the drop's page at `/account`, and
 * submits the section's form.
 */
import { copyOnPress } from "../html/copy-button.client.ts";
import { findElement } from "../html/find-element.client.ts";
import { createPanelSection } from "./panel-section.client.ts";
import { connectSidePanel } from "./side-panel.client.ts";

/** Connects the panel if the reader is the owner. @param prepare runs before the panel is shown or hidden */
export function connectShare(prepare: () => void): void {
  const toggle = document.getElementById("share-toggle") as HTMLAnchorElement | null;
  if (!toggle) return;
  const panel = findElement("share");
  const side = connectSidePanel("share", (_, address) => load(address), prepare);
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

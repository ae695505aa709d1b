/** Script of the feedback page. Connects the comments with the framed page, and fills in the path of the folder page that the frame shows. */

import { findElement } from "../html/find-element.client.ts";
import "../html/local-times.client.ts";
import type { FrameMessage } from "../viewer/frame/frame-messages.ts";
import { connectPassages, toPath } from "../viewer/passages.client.ts";

const frame = findElement<HTMLIFrameElement>("page");
const byItself = findElement("by-itself");
/** Form field for the path. It exists only if the drop is a folder. */
const pageField = document.querySelector<HTMLInputElement>("[name=path]");

connectPassages(document, frame);

addEventListener("message", ({ source, data }: MessageEvent<FrameMessage | undefined>) => {
  if (source !== frame.contentWindow) return;
  if (data?.dropleaf === "ready" && pageField) pageField.value = toPath(data.path);
  if (data?.dropleaf === "open" || data?.dropleaf === "kept")
    byItself.textContent = byItself.dataset.words ?? "";
});

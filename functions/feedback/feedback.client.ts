/**
 * Script of the feedback page. It fills a form with the selection of the framed page and shows a quote there. The frame
 * is not trusted: its messages are read only as responses, and only become the value of a visible field.
 */

import { findElement } from "../html/find-element.client.ts";
import "../html/local-times.client.ts";
import type { FrameMessage, ViewerMessage } from "../viewer/frame/frame-messages.ts";

/** Limit of a quote in code points: `quoteCodePointsMax` in `functions/core/limits.ts`. */
const quoteMax = 500;
/** Time limit for the frame's response, in milliseconds. */
const answersWithinMs = 2_000;

/** Path of a folder's entry page: `entryPath` in `functions/folders/folder.ts`. */
const entryPath = "index.html";

const frame = findElement<HTMLIFrameElement>("page");
const byItself = findElement("by-itself");
/** Exists only for a page of a folder. */
const pageField = document.querySelector<HTMLInputElement>("[name=path]");

/** Pending request to the frame. */
let asked:
  | { readonly kind: "selected"; readonly button: HTMLButtonElement; readonly timer: number }
  | { readonly kind: "shown"; readonly button: HTMLButtonElement; readonly timer: number }
  | undefined;

addEventListener("click", ({ target }) => {
  if (!(target instanceof Element)) return;
  const quoted = target.closest("blockquote");
  const button = quoted ? quoted.parentElement?.querySelector("button") : target.closest("button");
  if (!button) return;
  if (button.dataset.pick) ask("selected", button, { dropleaf: "selection" });
  const quote = button.dataset.show && button.closest("article")?.querySelector("blockquote")?.textContent;
  if (quote) ask("shown", button, { dropleaf: "quote", text: quote });
});

addEventListener("message", ({ source, data }: MessageEvent<FrameMessage | undefined>) => {
  if (source !== frame.contentWindow) return;
  if (data?.dropleaf === "ready" && pageField) pageField.value = toPath(data.path);
  if (data?.dropleaf === "open" || data?.dropleaf === "kept")
    byItself.textContent = byItself.dataset.words ?? "";
  if (asked === undefined || data?.dropleaf !== asked.kind) return;
  const { button } = asked;
  if (data.dropleaf === "shown") return answered(data.isFound === true);
  if (data.dropleaf !== "selected") return;
  const quote = typeof data.text === "string" ? toQuote(data.text) : "";
  const field = findElement<HTMLTextAreaElement>(button.dataset.pick ?? "");
  if (quote) field.value = quote;
  answered(quote !== "");
});

function ask(kind: "selected" | "shown", button: HTMLButtonElement, message: ViewerMessage): void {
  clearTimeout(asked?.timer);
  asked = { kind, button, timer: setTimeout(() => answered(false), answersWithinMs) };
  frame.contentWindow?.postMessage(message, "*");
}

/** Shows the result beside the button. */
function answered(isDone: boolean): void {
  if (asked === undefined) return;
  const { button, timer } = asked;
  const { picked, shown, missing } = button.dataset;
  clearTimeout(timer);
  asked = undefined;
  const status = button.parentElement?.querySelector("[role=status]");
  if (status) status.textContent = (isDone ? (picked ?? shown) : missing) ?? "";
}

/**
 * The path of a page in its folder, from the path of its address, which begins with `/p/<slug>/raw/` unless the folder
 * has a host. The service takes the entry page for an unknown path.
 */
function toPath(address: unknown): string {
  const [, path = ""] = /^\/(?:p\/\w+\/raw\/@[^/]+\/)?(.*)/.exec(String(address)) ?? [];
  try {
    return decodeURIComponent(path) || entryPath;
  } catch {
    return entryPath;
  }
}

function toQuote(text: string): string {
  const words = text
    .slice(0, quoteMax * 8)
    .replace(/\s+/g, " ")
    .trim();
  return [...words].slice(0, quoteMax).join("");
}

/**
 * Quotes the framed page's selection in a form, and shows quoted passages and marked elements in the frame. The frame
 * is not trusted. Its messages are accepted only as responses to a request, and can only fill in a visible field.
 */
import type { FrameMessage, ViewerMessage } from "./frame/frame-messages.ts";

/** Maximum length of a quote in code points, equal to `quoteCodePointsMax` in `functions/core/limits.ts`. */
const quoteMax = 500;
/** Timeout for the frame's response, in milliseconds. */
const responseTimeoutMs = 2_000;

/** Path of a folder's entry page, equal to `entryPath` in `functions/folders/folder.ts`. */
const entryPath = "index.html";

type Reply = Extract<FrameMessage, { readonly dropleaf: "selected" | "shown" }>;

/** @param root element that contains the threads and forms */
export function connectPassages(root: Document | ShadowRoot, frame: HTMLIFrameElement): void {
  /** Pending request to the frame. */
  let pending:
    | { readonly kind: Reply["dropleaf"]; readonly button: HTMLButtonElement; readonly timer: number }
    | undefined;

  const sendRequest = (kind: Reply["dropleaf"], button: HTMLButtonElement, message: ViewerMessage) => {
    clearTimeout(pending?.timer);
    pending = { kind, button, timer: setTimeout(() => showResult(false), responseTimeoutMs) };
    frame.contentWindow?.postMessage(message, "*");
  };

  /** Shows a result beside the button: success or failure. */
  const showResult = (isDone: boolean) => {
    if (pending === undefined) return;
    const { button, timer } = pending;
    const { picked, shown, missing } = button.dataset;
    clearTimeout(timer);
    pending = undefined;
    const status = button.parentElement?.querySelector("[role=status]");
    if (status) status.textContent = (isDone ? (picked ?? shown) : missing) ?? "";
  };

  root.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element)) return;
    const quoted = target.closest("blockquote");
    const button = quoted ? quoted.parentElement?.querySelector("button") : target.closest("button");
    if (!button) return;
    const { pick, show, selector } = button.dataset;
    if (pick) sendRequest("selected", button, { dropleaf: "selection" });
    if (!show) return;
    const quote = button.closest("article")?.querySelector("blockquote")?.textContent;
    if (selector) sendRequest("shown", button, { dropleaf: "element", selector });
    else if (quote) sendRequest("shown", button, { dropleaf: "quote", text: quote });
  });

  addEventListener("message", ({ source, data }: MessageEvent<FrameMessage | undefined>) => {
    if (source !== frame.contentWindow || pending === undefined || data?.dropleaf !== pending.kind) return;
    if (data.dropleaf === "shown") return showResult(data.isFound === true);
    if (data.dropleaf !== "selected") return;
    const quote = toQuote(data.text);
    const field = root.getElementById(pending.button.dataset.pick ?? "") as HTMLTextAreaElement | null;
    if (quote && field) field.value = quote;
    showResult(quote !== "");
  });
}

/** Turns the selection that the framed page reports into a quote. */
export function toQuote(text: unknown): string {
  const words = String(text ?? "")
    .slice(0, quoteMax * 8)
    .replace(/\s+/g, " ")
    .trim();
  return [...words].slice(0, quoteMax).join("");
}

/**
 * Returns a page's path in its folder. The URL's path begins with `/p/<slug>/raw/` unless the folder has a host.
 * Invalid URLs count as the entry page.
 */
export function toPath(address: unknown): string {
  const [, path = ""] = /^\/(?:p\/\w+\/raw\/@[^/]+\/)?(.*)/.exec(String(address)) ?? [];
  try {
    return decodeURIComponent(path) || entryPath;
  } catch {
    return entryPath;
  }
}

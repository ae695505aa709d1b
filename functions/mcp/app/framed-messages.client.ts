/**
 * Receives messages from the framed page. Delivers them only to the frame's listener, and hides them from the connection to the host.
 * Reports a page that sends too many messages.
 */
import { isFromWithin } from "../../viewer/frame/frame-input.client.ts";
import type { FramedInAppMessage } from "./in-app-messages.ts";

/** Maximum number of messages per second. A page that reports its size in each animation frame sends 60. */
const messagesPerSecondMax = 200;

interface FramedPage {
  readonly window: Window;
  receive(message: FramedInAppMessage): void;
  /** Called if the page sends more messages than the maximum. */
  handleFlood(): void;
}

let framed: FramedPage | undefined;
let count = 0;
let secondStartMs = 0;

/** Starts listening to a page. Listening ends when the returned function is called, or when listening to another page starts. */
export function listenToPage(page: FramedPage): () => void {
  framed = page;
  count = 0;
  return () => {
    if (framed === page) framed = undefined;
  };
}

// This is the window's first listener, because this module is loaded before the connection to the host.
addEventListener(
  "message",
  (event: MessageEvent) => {
    if (framed === undefined || !isFromWithin(framed.window, event.source)) return;
    event.stopImmediatePropagation();
    const nowMs = performance.now();
    if (nowMs - secondStartMs > 1_000) {
      secondStartMs = nowMs;
      count = 0;
    }
    count += 1;
    if (count > messagesPerSecondMax) framed.handleFlood();
    else if (event.source === framed.window && typeof event.data?.dropleaf === "string")
      framed.receive(event.data);
  },
  true,
);

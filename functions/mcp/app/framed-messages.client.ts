/**
 * Messages of the framed page. They reach only the frame's listener, never the connection to the host, and a page that
 * sends too many is reported once.
 */
import { isFromWithin } from "../../viewer/frame/frame-input.client.ts";
import type { FramedInAppMessage } from "./in-app-messages.ts";

/** A page that reports its size in each frame of an animation sends 60. */
const messagesPerSecondMax = 200;

interface FramedPage {
  readonly window: Window;
  receive(message: FramedInAppMessage): void;
  /** The page sends more messages than the app can take. */
  handleFlood(): void;
}

let framed: FramedPage | undefined;
let count = 0;
let secondStartMs = 0;

/** Listens to a page until the returned function is called, or another page is listened to. */
export function listenToPage(page: FramedPage): () => void {
  framed = page;
  count = 0;
  return () => {
    if (framed === page) framed = undefined;
  };
}

// The module is loaded before the connection to the host, so this is the window's first listener.
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

/** Finds the viewer around a framed page, and exchanges messages with it. */
import { isFromWithin } from "./frame-input.client.ts";
import type { FrameMessage, InnerMessage, ViewerMessage } from "./frame-messages.ts";

/** Window of the viewer, or the page's own window without a viewer. */
export const viewer: Window = findViewer();

/** True if the page is in a frame of another framed page, such as a frame set. */
export const isInner: boolean = viewer !== window.parent;

/**
 * Finds the nearest ancestor window that has an origin. This window is the viewer, because framed pages have no origin. Returns the top
 * window in browsers without `ancestorOrigins`.
 */
function findViewer(): Window {
  const origins = location.ancestorOrigins as DOMStringList | undefined;
  const depth = [...(origins ?? [])].findIndex((origin) => origin !== "null");
  if (depth < 0) return window.top ?? window;
  let found: Window = window;
  for (let level = 0; level <= depth; level++) found = found.parent;
  return found;
}

/** Windows of framed pages that contain this page, nearest first. */
export function pagesAround(): readonly Window[] {
  const around: Window[] = [];
  for (let one: Window = window.parent; one !== viewer && !around.includes(one); one = one.parent)
    around.push(one);
  return around;
}

export function sendToViewer(message: FrameMessage): void {
  viewer.postMessage(message, "*");
}

/**
 * Listens for messages from the viewer and from nested framed pages. This is the window's first listener, so it can
 * hide these messages from the page's own listeners.
 */
export function listen(
  ofViewer: (message: ViewerMessage) => void,
  ofInner: (message: InnerMessage) => void,
): void {
  addEventListener(
    "message",
    (event: MessageEvent<ViewerMessage | InnerMessage | null>) => {
      const { source, data } = event;
      if (data?.dropleaf === undefined) return;
      if (source === viewer) ofViewer(data as ViewerMessage);
      else if (data.dropleaf === "lead" && isFromWithin(window, source)) ofInner(data);
      else return;
      event.stopImmediatePropagation();
    },
    true,
  );
}

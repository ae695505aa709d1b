/** The viewer above a framed page, and the messages to and from it. */
import { isFromWithin } from "./frame-input.client.ts";
import type { FrameMessage, InnerMessage, ViewerMessage } from "./frame-messages.ts";

/** Window of the viewer; the page's own if it is open without the viewer. */
export const viewer: Window = findViewer();

/** The page is in a frame of another framed page, such as a frame set. */
export const isInner: boolean = viewer !== window.parent;

/**
 * The nearest window above the page that has an origin: framed pages have none. Without `ancestorOrigins`, the top
 * window counts as the viewer.
 */
function findViewer(): Window {
  const origins = location.ancestorOrigins as DOMStringList | undefined;
  const depth = [...(origins ?? [])].findIndex((origin) => origin !== "null");
  if (depth < 0) return window.top ?? window;
  let found: Window = window;
  for (let level = 0; level <= depth; level++) found = found.parent;
  return found;
}

/** Windows of framed pages around this one, the nearest first. */
export function pagesAround(): readonly Window[] {
  const around: Window[] = [];
  for (let one: Window = window.parent; one !== viewer && !around.includes(one); one = one.parent)
    around.push(one);
  return around;
}

export function tell(message: FrameMessage): void {
  viewer.postMessage(message, "*");
}

/**
 * Listens to the viewer, and to framed pages inside this one. It is the first listener of the window, so the page's own
 * listeners never get these messages.
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

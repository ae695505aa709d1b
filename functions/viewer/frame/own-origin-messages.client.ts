/**
 * Delivers messages that a framed page sends to itself with its URL's origin as target. In the sandbox the page's
 * origin is `null`, so the browser would drop these messages.
 */
import { parseUrl } from "./frame-input.client.ts";

export function keepOwnOriginInMessages(): void {
  const post = window.postMessage.bind(window) as (...given: readonly unknown[]) => void;
  const postToSelf = (message: unknown, ...[given, ...rest]: readonly unknown[]) => {
    const isByOptions = typeof given === "object" && given !== null;
    const options = isByOptions ? (given as WindowPostMessageOptions) : { targetOrigin: given };
    if (!isOwn(options.targetOrigin)) post(message, ...(given === undefined ? [] : [given]), ...rest);
    else if (isByOptions) post(message, { ...options, targetOrigin: "*" });
    else post(message, "*", ...rest);
  };
  define(window, "postMessage", {
    // Uses the browser's function if a nested frame has the page's own origin. Messages that the frame sends through
    // our function would seem to come from the page.
    get: () => (hasFrameOfOwnOrigin() ? post : postToSelf),
    set: (value) => define(window, "postMessage", { value, writable: true }),
  });
  const { get } = Object.getOwnPropertyDescriptor(MessageEvent.prototype, "origin") ?? {};
  define(MessageEvent.prototype, "origin", {
    get(this: MessageEvent) {
      const origin = get?.call(this);
      return origin === "null" && this.source === window ? location.origin : origin;
    },
  });
}

function isOwn(targetOrigin: unknown): boolean {
  const text = String(targetOrigin);
  return text === "null" || (text.startsWith("http") && parseUrl(text)?.origin === location.origin);
}

function hasFrameOfOwnOrigin(): boolean {
  return Array.from({ length: window.length }, (_, index) => window[index]).some((frame) => {
    try {
      return frame?.document;
    } catch {
      return false;
    }
  });
}

function define(owner: object, name: string, property: PropertyDescriptor): void {
  Object.defineProperty(owner, name, { configurable: true, enumerable: true, ...property });
}

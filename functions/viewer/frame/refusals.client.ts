/** Reports refused features to the viewer, so that the reader learns why something does not work. */
import type { FrameMessage, Refusal } from "./frame-messages.ts";

/** Exceptions thrown by our replacement functions, with the refused feature. */
const refused = new WeakMap<object, Refusal>();
const reported = new Set<Refusal>();
/** True if, in the current task, the page has read a frame's document and got `null`. */
let hasReadFrame = false;

/** Patterns that match browsers' own exception messages, with the refused feature. */
const browserMessages: readonly (readonly [RegExp, Refusal])[] = [
  [/cross-origin (frame|object)|permission denied to access/i, "frame"],
  [/service ?worker/i, "service-worker"],
  [/worker/i, "worker"],
  [/storage|cookie|indexed ?db|lock|directory/i, "storage"],
];

/**
 * Reports a refused feature to the viewer once, if this page is directly in the viewer's frame. Sends the message again
 * after the load, because the viewer may not have listened before.
 */
export function reportRefusal(what: Refusal): void {
  if (typeof document === "undefined" || parent === self || parent !== top || reported.has(what)) return;
  reported.add(what);
  const message: FrameMessage = { dropleaf: "refused", what };
  const viewer = parent;
  viewer.postMessage(message, "*");
  if (document.readyState !== "complete")
    addEventListener("load", () => viewer.postMessage(message, "*"), { once: true });
}

/**
 * Creates an exception for a replacement function that cannot do what the page requests. The refusal is reported if the
 * page does not catch the exception.
 */
export function refusal(what: Refusal, name: string, message: string): DOMException {
  const exception = new DOMException(message, name);
  refused.set(exception, what);
  return exception;
}

/** Records that a frame's document was read as `null`, which may cause an exception in the page's own code. */
export function noteFrameRead(): void {
  hasReadFrame = true;
  setTimeout(() => {
    hasReadFrame = false;
  });
}

/** Reports exceptions that the page does not catch. */
export function reportUncaught(): void {
  addEventListener("error", ({ error }) => reportException(error));
  addEventListener("unhandledrejection", ({ reason }) => reportException(reason));
}

function reportException(error: unknown): void {
  const what = refusalOf(error);
  if (what !== undefined) reportRefusal(what);
}

function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof TypeError && hasReadFrame && /null/.test(error.message)) return "frame";
  if (!(error instanceof DOMException)) return undefined;
  if (refused.has(error)) return refused.get(error);
  if (error.name !== "SecurityError") return undefined;
  return browserMessages.find(([words]) => words.test(error.message))?.[1] ?? "other";
}

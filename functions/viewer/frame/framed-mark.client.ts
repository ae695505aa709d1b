/** Reports the text that the reader selects and the element that they pick, for comments in the viewer. */
import type { Box } from "./frame-messages.ts";
import { selectedText } from "./framed-text.client.ts";
import { sendToViewer } from "./framed-viewer.client.ts";

const selectorMax = 300;
const settledAfterMs = 150;

let isReporting = false;
let isPicking = false;
let timer = 0;

/** Starts reporting selections. @param picks if true, the next click picks an element and is hidden from the page */
export function reportMarks(picks: boolean): void {
  isPicking = picks;
  if (isReporting) return;
  isReporting = true;
  for (const type of ["selectionchange", "scroll", "resize"])
    (type === "selectionchange" ? document : window).addEventListener(type, settle);
  for (const type of ["pointermove", "focusin"]) addEventListener(type, point, true);
  for (const type of ["pointerdown", "pointerup", "mousedown", "mouseup"]) addEventListener(type, hold, true);
  addEventListener("click", pick, true);
  addEventListener("keydown", pick, true);
}

/** Reports the selection after the selection and the scroll position have stopped changing. */
function settle(): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    const text = selectedText();
    if (!text.trim()) return isPicking || sendToViewer({ dropleaf: "marked", isPicked: false });
    const range = (getSelection() as Selection).getRangeAt(0);
    // A triple-click selection ends at the start of the next paragraph.
    const isExact = range.endOffset > 0;
    const around = isExact ? range.commonAncestorContainer : range.startContainer;
    const element = around instanceof Element ? around : around.parentElement;
    report(element, isExact ? range : (element ?? range), text, false);
  }, settledAfterMs);
}

function point({ target }: Event): void {
  if (isPicking && target instanceof Element) report(target, target, "", false);
}

function hold(event: Event): void {
  if (isPicking) event.stopImmediatePropagation();
}

function pick(event: Event): void {
  const { target } = event;
  const { key = "Enter" } = event as Partial<KeyboardEvent>;
  if (!isPicking || !(target instanceof Element) || !/^(Enter|Escape)$/.test(key)) return;
  hold(event);
  event.preventDefault();
  isPicking = false;
  report(key === "Enter" ? target : null, target, "", true);
}

function report(element: Element | null, place: Element | Range, text: string, isPicked: boolean): void {
  const { x, y, width, height } = place.getBoundingClientRect();
  const { scrollWidth, scrollHeight } = document.documentElement;
  const box: Box = [x, y, width, height];
  const region: Box = [
    (x + scrollX) / scrollWidth,
    (y + scrollY) / scrollHeight,
    width / scrollWidth,
    height / scrollHeight,
  ];
  sendToViewer({
    dropleaf: "marked",
    isPicked,
    ...(element && { text, selector: selectorOf(element), box, region }),
  });
}

/**
 * Returns a selector of the element. If the selector is too long, returns the selector of the nearest ancestor whose
 * selector is short enough.
 */
function selectorOf(element: Element): string {
  const parts: string[] = [];
  for (let one: Element | null = element; one; one = one.parentElement) {
    const id = one.id && `#${CSS.escape(one.id)}`;
    if (id && document.querySelectorAll(id).length === 1) {
      parts.unshift(id);
      break;
    }
    const { localName } = one;
    const alike = [...(one.parentElement?.children ?? [])].filter((other) => other.localName === localName);
    const place = alike.length > 1 ? `:nth-of-type(${alike.indexOf(one) + 1})` : "";
    parts.unshift(CSS.escape(localName) + place);
  }
  while (parts.join(">").length > selectorMax) parts.pop();
  return parts.join(">");
}

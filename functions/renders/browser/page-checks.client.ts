import axe from "axe-core";
import type { AccessibilityFinding, Overflow, PostForm } from "../report.ts";

/** Script in an isolated world of the page, where the page's changes to built-in objects have no effect. */
declare global {
  var dropleafChecks: typeof checks;
}

const elementsMax = 5_000;
const stickingOutMax = 10;
const selectorsMax = 5;
const formsMax = 10;
const charactersMax = 300;
/** Overflow in pixels that is ignored, because browsers round widths. */
const tolerancePx = 1;

const checks = { loaded, measure, findOverflow, findPostForms, findFaults };
globalThis.dropleafChecks = checks;

/** Waits for the load event. Returns the milliseconds from the start of the load to this event. */
async function loaded(): Promise<number> {
  if (document.readyState !== "complete") {
    await new Promise((resolve) => window.addEventListener("load", resolve, { once: true }));
  }
  const [load] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return Math.round(load?.loadEventStart || performance.now());
}

/** Returns the height of the whole page in pixels. */
function measure(): number {
  return Math.max(document.documentElement.scrollHeight, document.body?.scrollHeight ?? 0);
}

/** Finds the horizontal overflow: its width, and the innermost elements that exceed the view. */
function findOverflow(): Overflow | undefined {
  const { scrollWidth, clientWidth } = document.documentElement;
  const pixels = scrollWidth - clientWidth;
  if (pixels <= tolerancePx) return undefined;
  const all = [...document.querySelectorAll<HTMLElement>("body *")].slice(0, elementsMax);
  const beyond = new Map<Element, number>();
  for (const element of all) {
    const beyondPx = Math.round(rightOf(element) - clientWidth);
    if (beyondPx > tolerancePx && !isCutOff(element)) beyond.set(element, beyondPx);
  }
  const outer = new Set<Element>();
  for (const element of beyond.keys()) {
    for (let parent = element.parentElement; parent; parent = parent.parentElement) outer.add(parent);
  }
  const elements = [...beyond]
    .filter(([element]) => !outer.has(element))
    .sort(([, one], [, other]) => other - one)
    .slice(0, stickingOutMax)
    .map(([element, beyondPx]) => ({ selector: selectorOf(element), pixels: beyondPx }));
  return { pixels, elements };
}

/** Finds forms that post to another URL. Forms without an action are skipped, because scripts handle them. */
function findPostForms(): PostForm[] {
  const here = document.URL.split("#", 1)[0];
  const elsewhere = [...document.forms]
    .map((form) => ({ form, action: form.getAttribute("action") ?? "" }))
    .filter(({ form, action }) => form.getAttribute("method")?.toLowerCase() === "post" && action !== "")
    .filter(({ action }) => URL.canParse(action, document.baseURI))
    .map(({ form, action }) => ({ selector: selectorOf(form), url: new URL(action, document.baseURI).href }));
  return elsewhere
    .filter(({ url }) => url.split("#", 1)[0] !== here)
    .slice(0, formsMax)
    .map(({ selector, url }) => ({ selector, url: url.slice(0, charactersMax) }));
}

/** Returns the right edge of an element, including content that visibly overflows the element. */
function rightOf(element: HTMLElement): number {
  const { left, right } = element.getBoundingClientRect();
  const isOpen = getComputedStyle(element).overflowX === "visible";
  return scrollX + Math.max(right, isOpen ? left + element.scrollWidth : right);
}

/** Returns true for elements that do not widen the page, because an ancestor clips or scrolls them, or because their position is fixed. */
function isCutOff(element: Element): boolean {
  for (let one: Element | null = element; one && one !== document.body; one = one.parentElement) {
    const { position, overflowX } = getComputedStyle(one);
    if (position === "fixed") return true;
    if (one !== element && overflowX !== "visible") return true;
  }
  return false;
}

function selectorOf(element: Element): string {
  const steps: string[] = [];
  for (let one: Element | null = element; one && one !== document.body; one = one.parentElement) {
    if (one.id !== "") {
      steps.unshift(`#${CSS.escape(one.id)}`);
      break;
    }
    const { tagName, parentElement } = one;
    const alike = [...(parentElement?.children ?? [])].filter((other) => other.tagName === tagName);
    const place = alike.length > 1 ? `:nth-of-type(${alike.indexOf(one) + 1})` : "";
    steps.unshift(`${tagName.toLowerCase()}${place}`);
  }
  return steps.join(" > ").slice(0, charactersMax);
}

/** Runs the axe-core rules for WCAG 2.1, levels A and AA. */
async function findFaults(): Promise<AccessibilityFinding[]> {
  const { violations } = await axe.run(document, {
    runOnly: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] },
    resultTypes: ["violations"],
    iframes: false,
    preload: false,
  });
  return violations.map(({ id, impact, help, nodes }) => ({
    rule: id,
    impact: impact ?? "moderate",
    help: help.slice(0, charactersMax),
    count: nodes.length,
    selectors: nodes.slice(0, selectorsMax).map(({ target }) => target.join(" ").slice(0, charactersMax)),
  }));
}

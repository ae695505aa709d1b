/** Applies the host's theme, fonts, locale and size to the app. */
import {
  type App,
  applyDocumentTheme,
  applyHostFonts,
  applyHostStyleVariables,
  type McpUiHostContext,
} from "@modelcontextprotocol/ext-apps";
import { text } from "../../html/text.ts";

/** Formats dates and numbers in the host's locale. The app's texts are always English. */
export interface Formats {
  /** Formats a date and time, to the minute. */
  time(atMs: number): string;
  count(number: number): string;
}

/** Creates formats for the host's locale and time zone. */
export function formatsOf({ locale, timeZone }: McpUiHostContext): Formats {
  const options = { dateStyle: "medium", timeStyle: "short" } as const;
  try {
    return formatsIn(locale, { ...options, timeZone });
  } catch {
    // Uses the default if the browser does not support the host's locale or time zone.
    return formatsIn(text.language, options);
  }
}

function formatsIn(locale: string = text.language, options: Intl.DateTimeFormatOptions): Formats {
  const [time, count] = [new Intl.DateTimeFormat(locale, options), new Intl.NumberFormat(locale)];
  return { time: (atMs) => time.format(atMs), count: (number) => count.format(number) };
}

/** Applies the host's theme, styles and height to the document. */
export function applyLook({ theme, styles, containerDimensions }: McpUiHostContext): void {
  if (theme) {
    applyDocumentTheme(theme);
    followTheme(theme);
  }
  if (styles?.variables) applyHostStyleVariables(styles.variables);
  if (styles?.css?.fonts) applyHostFonts(styles.css.fonts);
  const { style } = document.documentElement;
  const max = heightOf(containerDimensions);
  if (max !== undefined)
    style.setProperty(
      "--page-height",
      `${Math.min(Math.max(max - besidePagePx, lowestPagePx), highestPagePx)}px`,
    );
}

/** Total height of the app's controls around the page, in CSS pixels. */
const besidePagePx = 420;
const lowestPagePx = 200;
const highestPagePx = 480;

/** Makes the rules for dark mode follow the host's theme, because their media queries use the browser's theme, which may differ. */
function followTheme(theme: "dark" | "light"): void {
  for (const { cssRules } of document.styleSheets)
    for (const rule of cssRules)
      if (rule instanceof CSSMediaRule && (darkRules.has(rule) || rule.media.mediaText.includes("dark"))) {
        darkRules.add(rule);
        rule.media.mediaText = theme === "dark" ? "screen" : "not all";
      }
}

const darkRules = new WeakSet<CSSMediaRule>();

/** Returns the maximum height that the host gives the app, in CSS pixels. */
function heightOf(dimensions: McpUiHostContext["containerDimensions"]): number | undefined {
  if (dimensions === undefined) return undefined;
  return "height" in dimensions ? dimensions.height : dimensions.maxHeight;
}

/** Reports the content's height to the host whenever it changes, up to the host's maximum. Taller content scrolls. */
export function reportHeight(app: App, content: HTMLElement): void {
  let reported: number | undefined;
  new ResizeObserver(() => {
    const max = heightOf(app.getHostContext()?.containerDimensions) ?? Number.POSITIVE_INFINITY;
    const height = Math.min(Math.ceil(content.getBoundingClientRect().height), max);
    if (height === reported) return;
    reported = height;
    void app.sendSizeChanged({ height });
  }).observe(content);
}

/** The host's theme, fonts, language and size, which the app follows. */
import {
  type App,
  applyDocumentTheme,
  applyHostFonts,
  applyHostStyleVariables,
  type McpUiHostContext,
} from "@modelcontextprotocol/ext-apps";
import { text } from "../../html/text.ts";

/** Dates and numbers as the host writes them. The words stay English. */
export interface Formats {
  /** A moment, to the minute. */
  time(atMs: number): string;
  count(number: number): string;
}

export function formatsOf({ locale, timeZone }: McpUiHostContext): Formats {
  const options = { dateStyle: "medium", timeStyle: "short" } as const;
  try {
    return formatsIn(locale, { ...options, timeZone });
  } catch {
    // The host names a language or a time zone that the browser does not know.
    return formatsIn(text.language, options);
  }
}

function formatsIn(locale: string = text.language, options: Intl.DateTimeFormatOptions): Formats {
  const [time, count] = [new Intl.DateTimeFormat(locale, options), new Intl.NumberFormat(locale)];
  return { time: (atMs) => time.format(atMs), count: (number) => count.format(number) };
}

/** Applies the host's look to the document. */
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

/** Height of what the app shows besides the page. */
const besidePagePx = 420;
const lowestPagePx = 200;
const highestPagePx = 480;

/** The rules for a dark theme ask the browser, whose theme may differ from the host's. */
function followTheme(theme: "dark" | "light"): void {
  for (const { cssRules } of document.styleSheets)
    for (const rule of cssRules)
      if (rule instanceof CSSMediaRule && (darkRules.has(rule) || rule.media.mediaText.includes("dark"))) {
        darkRules.add(rule);
        rule.media.mediaText = theme === "dark" ? "screen" : "not all";
      }
}

const darkRules = new WeakSet<CSSMediaRule>();

/** The height that the host gives at most, in CSS pixels. */
function heightOf(dimensions: McpUiHostContext["containerDimensions"]): number | undefined {
  if (dimensions === undefined) return undefined;
  return "height" in dimensions ? dimensions.height : dimensions.maxHeight;
}

/** Reports the height of the content, which scrolls beyond the host's maximum. Returns a function that reports it again. */
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

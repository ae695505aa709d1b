import { limits } from "../platform/limits.ts";
import { untrustedTexts } from "../platform/untrusted-texts.ts";
import { times } from "./finding-words.ts";
import type { RenderFailure } from "./render.ts";

/** What everybody is told who reads a report. */
export const untrusted = /* @__PURE__ */ untrustedTexts(
  "Texts of console messages, addresses and selectors are the page's own",
);

/** While it is under way. */
export function askedMessage(retryAfterSeconds: number): string {
  return `The page is being rendered. Ask again in ${retryAfterSeconds} seconds.`;
}

/** How much was found, before what it is. */
export function renderedMessage(findings: readonly string[]): string {
  if (findings.length === 0) return "Nothing was found that is wrong. Look at the pictures.";
  const it = findings.length === 1 ? "it" : "them";
  return `${times(findings.length, "thing was", "things were")} found, the worst first. Mend ${it}, and publish a new version.`;
}

/** Why there is no picture. */
export function failedMessage(why: RenderFailure): string {
  switch (why) {
    case "stopped":
      return "The page was stopped: it took too long or too much memory, or ended the browser. A reader's browser may fare no better.";
    case "daily-limit":
      return `The account has had ${limits.rendersPerDayPerAccount} versions rendered in a day, the most there may be.`;
  }
}

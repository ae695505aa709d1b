import { environmentNames } from "../core/environment.ts";
import { limits } from "../core/limits.ts";
import { untrustedTexts } from "../core/text.ts";
import { signAddress } from "../http/signed-address.ts";
import { times } from "./finding-words.ts";
import { findingsOf } from "./findings.ts";
import { pictureKey, type Render, type RenderFailure } from "./render.ts";
import type { RenderStatus } from "./render-status.ts";
import { type Overflow, type PageReport, pdfLimits, type ViewReport, views } from "./report.ts";
import type { RenderResponse } from "./schemas.ts";

/** Notice in every report that the quoted texts come from the page. */
export const untrusted = /* @__PURE__ */ untrustedTexts(
  "Texts of console messages, addresses and selectors are the page's own",
);

/** Message while a page is being rendered. */
export function requestedMessage(retryAfterSeconds: number): string {
  return `The page is being rendered. Call again in ${retryAfterSeconds} seconds.`;
}

/** Message with the number of findings in a report. */
export function renderedMessage(findings: readonly string[]): string {
  if (findings.length === 0) return "No problems found. Look at the pictures.";
  const it = findings.length === 1 ? "it" : "them";
  return `${times(findings.length, "thing was", "things were")} found, the worst first. Fix ${it}, and publish a new version.`;
}

/** Message with the reason why a render failed. */
export function failedMessage(why: RenderFailure): string {
  switch (why) {
    case "stopped":
      return "The page was stopped: it took too long or too much memory, or crashed the browser. Readers' browsers may have the same problem.";
    case "daily-limit":
      return `The account has reached its limit of ${limits.rendersPerDayPerAccount} rendered versions a day.`;
    case "too-large":
      return `The PDF has more than ${pdfLimits.pagesMax} pages, or more than ${pdfLimits.bytesMax / 1e6} MB.`;
  }
}

type ViewResponse = NonNullable<RenderResponse["views"]>[number];

/** Builds the response for a render. The URLs of its pictures expire after minutes. */
export async function presentRender(seen: RenderStatus, nowMs: number): Promise<RenderResponse> {
  if (seen.state === "asked") {
    const retryAfterSeconds = retryAfterOf(seen);
    const { slug, version, state } = seen;
    return {
      slug,
      version,
      state,
      message: requestedMessage(retryAfterSeconds),
      retry_after_seconds: retryAfterSeconds,
    };
  }
  const { render, report, pictureSeconds } = seen;
  const { slug, version, milliseconds } = render;
  const findings = report && findingsOf(report);
  return {
    slug,
    version,
    state: seen.state,
    message: seen.state === "failed" ? failedMessage(seen.why) : renderedMessage(findings ?? []),
    ...(seen.state === "failed" ? { ask_again_at: seen.askAgainAtMs } : { rendered_at: render.atMs }),
    ...(milliseconds === undefined ? {} : { milliseconds: Math.round(milliseconds) }),
    ...(report && {
      untrusted,
      findings,
      views: await Promise.all(report.views.map((view) => presentView(render, view, nowMs, pictureSeconds))),
      weight: presentWeight(report.weight),
    }),
  };
}

/** Presents the size of a page and of its resources. */
export function presentWeight({ pageBytes, fileBytes, requests }: PageReport["weight"]) {
  return { page_bytes: pageBytes, file_bytes: fileBytes, requests };
}

/** Returns the number of seconds that the caller should wait before the next call. A render usually takes two such waits. */
export function retryAfterOf({ isNew }: { readonly isNew: boolean }): number {
  return isNew ? 5 : 3;
}

async function presentView(
  render: Render,
  view: ViewReport,
  nowMs: number,
  pictureSeconds: number,
): Promise<ViewResponse> {
  const { name, loadMs, console, requests, attempts, overflow, accessibility } = view;
  const screen = views.find((one) => one.name === name);
  return {
    name,
    width: screen?.widthPx ?? 0,
    height: screen?.heightPx ?? 0,
    color_scheme: screen?.scheme ?? "light",
    picture: await presentPicture(render, name, nowMs, pictureSeconds),
    load_ms: loadMs === undefined ? null : Math.round(loadMs),
    console: [...console],
    requests: [...requests],
    attempts: [...attempts],
    overflow: overflow === undefined ? null : presentOverflow(overflow),
    accessibility: view.isUnjudged
      ? null
      : accessibility.map(({ selectors, ...rest }) => ({ ...rest, selectors: [...selectors] })),
    ...(view.isWithoutScripts ? { without_scripts: true } : {}),
  };
}

/** Rounds the overflow, because browsers compute layouts in fractions of pixels. */
function presentOverflow({ pixels, elements }: Overflow): NonNullable<ViewResponse["overflow"]> {
  return {
    pixels: Math.round(pixels),
    elements: elements.map(({ selector, pixels: by }) => ({ selector, pixels: Math.round(by) })),
  };
}

async function presentPicture(
  { folder, pictures }: Render,
  name: ViewReport["name"],
  nowMs: number,
  pictureSeconds: number,
): Promise<ViewResponse["picture"]> {
  const picture = pictures.find((one) => one.name === name);
  if (folder === undefined || picture === undefined) return null;
  const request = {
    method: "GET",
    bucket: environmentNames.pagesBucket,
    objectKey: pictureKey(folder, picture),
  } as const;
  return {
    url: await signAddress(request, pictureSeconds),
    expires_at: nowMs + pictureSeconds * 1000,
    content_type: picture.mediaType,
    width: picture.widthPx,
    height: picture.heightPx,
    size_bytes: picture.sizeBytes,
  };
}

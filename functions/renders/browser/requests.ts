import type { BrowserContext, Request, Route } from "playwright-core";
import { type DrawRequest, type FailedRequest, reportLimits } from "../report.ts";
import type { Observation } from "./observation.ts";
import type { OwnerFiles } from "./owner-files.ts";

/** Interception of a page's requests. */
export interface RequestAnswers {
  readonly request: Omit<DrawRequest, "files">;
  readonly files: OwnerFiles;
  /** Adds a policy that blocks the page's scripts. */
  readonly withoutScripts: boolean;
}

/** The path of another drop on every host of the service, which has its owners below `/@` where they have no hosts. */
const dropPath = /^(?:\/@[^/]+)?\/[pd]\/[^/]+/;

/** Answers all requests of a context: none goes to the network of the browser. */
export async function interceptRequests(
  context: BrowserContext,
  answers: RequestAnswers,
  current: () => Observation,
): Promise<void> {
  await context.route("**/*", async (route) => {
    // What fails here has been given up by the page, or ended with the browser.
    await answer(route, answers, current()).catch(() => undefined);
  });
}

async function answer(
  route: Route,
  { request: given, files, withoutScripts }: RequestAnswers,
  seen: Observation,
) {
  const request = route.request();
  const url = request.url();
  if (isOfWindow(request)) {
    if (seen.isServed) {
      seen.tries("navigation");
      // The page stays as it is.
      return route.abort("aborted");
    }
    seen.isServed = true;
    seen.requests += 1;
    return route.fulfill({
      status: 200,
      headers: withoutScripts ? withoutScriptsIn(given.headers) : { ...given.headers },
      body: Buffer.from(given.page, "base64"),
    });
  }
  seen.requests += 1;
  const refuse = (why: FailedRequest["why"]) => {
    seen.fails({ url, kind: request.resourceType(), why });
    return route.abort();
  };
  if (seen.requests > reportLimits.requestsMax) return refuse("too-many");
  const file = files.find(url);
  if (file === undefined) return refuse(isMissing(url, given.url) ? "not-found" : "outside");
  if (file.source === undefined) return refuse(file.why ?? "not-found");
  const fetched = await files.fetch(file);
  if (fetched === undefined) return refuse("failed");
  return route.fulfill({
    status: 200,
    headers: {
      "content-type": fetched.contentType,
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "cross-origin",
      // As the service gives: scripts of a folder read its files, and no others. Without this line Playwright would let them read all.
      "access-control-allow-origin": file.part === undefined ? "https://nobody.invalid" : "*",
    },
    body: fetched.bytes,
  });
}

/** Recognizes navigations of the page's own window, and not of frames or resources. */
function isOfWindow(request: Request): boolean {
  if (!request.isNavigationRequest()) return false;
  try {
    return request.frame().parentFrame() === null;
  } catch {
    // A window that another one has opened has no frame yet.
    return true;
  }
}

/** Recognizes an address on the page's own host that leads to no file: no reader's browser can load it either. */
function isMissing(url: string, pageUrl: string): boolean {
  const { origin, pathname } = new URL(url);
  const page = new URL(pageUrl);
  const isBelow = page.pathname.endsWith("/") && pathname.startsWith(page.pathname);
  return origin === page.origin && (isBelow || !dropPath.test(pathname));
}

const policyHeader = "content-security-policy";

/** A second policy beside the first: both hold. */
function withoutScriptsIn(headers: Readonly<Record<string, string>>): Record<string, string> {
  const policies = Object.entries(headers).filter(([name]) => name.toLowerCase() === policyHeader);
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== policyHeader);
  const policy = [...policies.map(([, value]) => value), "script-src 'none'; worker-src 'none'"].join(", ");
  return { ...Object.fromEntries(others), [policyHeader]: policy };
}

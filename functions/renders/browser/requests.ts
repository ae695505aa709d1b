import type { BrowserContext, Request, Route } from "playwright-core";
import { lostReasonOf } from "../../folders/lost-address.ts";
import { type DrawRequest, type FailedRequest, reportLimits } from "../report.ts";
import type { Observation } from "./observation.ts";
import type { OwnerFiles } from "./owner-files.ts";

/** Data for the responses to a page's requests. */
export interface RequestAnswers {
  readonly request: Omit<DrawRequest, "files">;
  readonly files: OwnerFiles;
  /** True if a content security policy blocks the page's scripts. */
  readonly withoutScripts: boolean;
}

/** Matches a path of a drop. On stacks without owners' hosts, the path begins with `/@<namespace>`. */
const dropPath = /^(?:\/@[^/]+)?\/(?:p\/[^/]+(?:\/raw(?:\/|$)|$)|d\/[^/]+)/;

/** Responds to all requests of a browser context, so that no request reaches the browser's network. */
export async function interceptRequests(
  context: BrowserContext,
  answers: RequestAnswers,
  current: () => Observation,
): Promise<void> {
  await context.route("**/*", async (route) => {
    // `answer` throws if the page has aborted the request, or if the browser has ended.
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
      // After an aborted navigation, the browser still shows the page.
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
      // As on the service, only a folder's scripts may read its files. By default, Playwright would allow all scripts to read them.
      "access-control-allow-origin": file.part === undefined ? "https://nobody.invalid" : "*",
    },
    body: fetched.bytes,
  });
}

/** Returns true for a navigation of the page's window. Returns false for frames and resources. */
function isOfWindow(request: Request): boolean {
  if (!request.isNavigationRequest()) return false;
  try {
    return request.frame().parentFrame() === null;
  } catch {
    // Playwright throws for a window that the page has just opened, because the window has no frame yet.
    return true;
  }
}

/** Returns true for a URL that readers' browsers cannot load either, such as a missing file on the page's host. */
function isMissing(url: string, pageUrl: string): boolean {
  if (lostReasonOf(url) !== undefined) return true;
  const { origin, pathname } = new URL(url);
  const page = new URL(pageUrl);
  const below = page.pathname.endsWith("/") ? page.pathname : `${page.pathname}/`;
  const isBelow = pathname.startsWith(below);
  return origin === page.origin && (isBelow || !dropPath.test(pathname));
}

/** Adds a policy that blocks scripts to the content security policy. The browser enforces all policies. */
function withoutScriptsIn(headers: Readonly<Record<string, string>>): Record<string, string> {
  const all = new Headers(headers);
  all.append("content-security-policy", "script-src 'none'; worker-src 'none'");
  return Object.fromEntries(all);
}

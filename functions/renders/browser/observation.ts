import {
  type Attempt,
  type ConsoleMessage,
  type FailedRequest,
  reportLimits,
  type ViewReport,
} from "../report.ts";
import type { RunningBrowser } from "./browser.ts";

/** Records the behaviour of a page in one view, up to the limits of a report. */
export class Observation {
  readonly #console: ConsoleMessage[] = [];
  readonly #failed: FailedRequest[] = [];
  readonly #attempts = new Map<Attempt["kind"], number>();
  /** Number of requests, including the request for the page. */
  requests = 0;
  /** True once the page has been served. Further navigations are refused. */
  isServed = false;

  says(kind: ConsoleMessage["kind"], text: string): void {
    add(this.#console, { kind, text: cut(text) });
  }

  fails({ url, ...request }: FailedRequest): void {
    add(this.#failed, { url: cut(url), ...request });
  }

  tries(kind: Attempt["kind"]): void {
    this.#attempts.set(kind, (this.#attempts.get(kind) ?? 0) + 1);
  }

  report(): Pick<ViewReport, "console" | "requests" | "attempts"> {
    const attempts = [...this.#attempts].map(([kind, count]) => ({ kind, count }));
    return { console: [...this.#console], requests: [...this.#failed], attempts };
  }
}

/** Records events of a page in the current observation, until the page closes. */
export function observe(
  { context, page }: Pick<RunningBrowser, "context" | "page">,
  current: () => Observation,
  /** False if scripts are blocked, because the console would report every blocked script. */
  { hasConsole }: { readonly hasConsole: boolean },
): void {
  page.on("pageerror", (error) => current().says("exception", String(error?.message ?? error)));
  page.on("console", (message) => {
    if (!hasConsole) return;
    const kind = message.type();
    const text = message.text();
    if (text.startsWith(windowRefused)) current().tries("window");
    // Failed requests are left out here, because they are reported separately, with their URLs.
    else if ((kind === "error" || kind === "warning") && !text.startsWith(resourceFailed))
      current().says(kind, text);
  });
  page.on("dialog", (dialog) => {
    current().tries("dialog");
    const answered = dialog.type() === "beforeunload" ? dialog.accept() : dialog.dismiss();
    answered.catch(() => undefined);
  });
  page.on("download", (download) => {
    current().tries("download");
    download.cancel().catch(() => undefined);
  });
  page.on("websocket", (socket) => {
    current().fails({ url: socket.url(), kind: "websocket", why: "outside" });
  });
  context.on("page", (opened) => {
    current().tries("window");
    opened.close().catch(() => undefined);
  });
}

/** Prefixes of Chromium's messages for a blocked window and a failed request. */
const windowRefused = "Blocked opening ";
const resourceFailed = "Failed to load resource";

function add<Entry>(entries: Entry[], entry: Entry): void {
  if (entries.length < reportLimits.entriesMax) entries.push(entry);
}

function cut(text: string): string {
  return text.slice(0, reportLimits.textCharactersMax);
}

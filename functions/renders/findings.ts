import { lostReasonOf } from "../folders/lost-address.ts";
import { accessibilitySentence, elements, listed, quoted, times } from "./finding-words.ts";
import {
  type Attempt,
  type ConsoleMessage,
  type FailedRequest,
  type Overflow,
  type PageReport,
  type PostForm,
  type Stop,
  type ViewName,
  type ViewReport,
  views,
} from "./report.ts";

/**
 * Turns a report into findings for an agent, the most severe first. A finding in several views becomes one sentence that names these views.
 */
export function findingsOf(report: PageReport): string[] {
  const seen = report.views.map(({ name }) => name);
  const found = merge(report.views.flatMap(findingsIn));
  const sentences = found.map(({ order, write, names }) => ({ order, text: write(placeOf(names, seen)) }));
  const stopped =
    report.stopped === undefined ? [] : [{ order: 0, text: stopSentence(report.stopped, report) }];
  return [...stopped, ...sentences].sort((one, other) => one.order - other.order).map(({ text }) => text);
}

/** Order of findings by severity, from an unreadable page to problems that only the author notices. */
const order = {
  exception: 1,
  missingPart: 2,
  overflow: 3,
  serious: 4,
  error: 5,
  noLoad: 6,
  attempt: 7,
  moderate: 8,
  warning: 9,
} as const;

/** A finding in one view. */
interface Finding {
  readonly order: number;
  /** Key that identifies the same finding in several views. */
  readonly key: string;
  readonly view: ViewName;
  /** Writes the sentence of the finding, with the views that show it. */
  readonly write: (place: Place) => string;
}

/** Views that show a finding. */
interface Place {
  /** Phrase for the views that show the finding, such as `at 360 px in dark`. */
  readonly words: string;
  /** Sentence that names the views, such as ` Only at 360 px.`. Empty if every view has the finding. */
  readonly only: string;
}

/** Merges findings that several views share. Lists the views of each finding in the order of the report. */
function merge(
  findings: readonly Finding[],
): (Omit<Finding, "view"> & { readonly names: readonly ViewName[] })[] {
  const groups = Map.groupBy(findings, ({ key }) => key);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [{ ...first, names: [...new Set(group.map(({ view }) => view))] }];
  });
}

function placeOf(names: readonly ViewName[], seen: readonly ViewName[]): Place {
  const words = placeWords(names);
  return { words, only: seen.every((name) => names.includes(name)) ? "" : ` Only ${words}.` };
}

/** Describes views by width if both colour schemes are included, by colour scheme if both widths are included, and otherwise one by one. */
function placeWords(names: readonly ViewName[]): string {
  const chosen = views.filter(({ name }) => names.includes(name));
  if (chosen.length === views.length) return "in every view";
  const widths = [...new Set(chosen.map(({ widthPx }) => widthPx))];
  const schemes = [...new Set(chosen.map(({ scheme }) => scheme))];
  const [scheme] = schemes;
  if (schemes.length === 1 && widths.length === 2) return `in ${scheme}`;
  return listed(
    widths.map((widthPx) => {
      const there = chosen.filter((view) => view.widthPx === widthPx);
      return there.length === 2 ? `at ${widthPx} px` : `at ${widthPx} px in ${there[0]?.scheme}`;
    }),
  );
}

function findingsIn(report: ViewReport): Finding[] {
  const { name: view, console, requests, attempts, overflow, accessibility, forms, loadMs } = report;
  const found: Omit<Finding, "view">[] = [
    ...console.map(consoleFinding),
    ...requestFindings(requests),
    ...(overflow === undefined ? [] : [overflowFinding(overflow, view)]),
    ...accessibility.map((finding) => ({
      order: ["critical", "serious"].includes(finding.impact) ? order.serious : order.moderate,
      key: JSON.stringify(["accessibility", finding]),
      write: ({ only }: Place) => accessibilitySentence(finding) + only,
    })),
    ...(loadMs === undefined ? [noLoad] : []),
    ...attempts.map(attemptFinding),
    ...(forms ?? []).map(formFinding),
  ];
  return found.map((finding) => ({ ...finding, view }));
}

/** Matches Chromium's messages when the sandbox refuses access to storage, cookies, caches, databases or pointer lock. */
export const refusedBySandbox = /sandboxed and lacks|sandboxed and the|Indexed Database API is denied/;

/** Prefix of Chromium's message for a `file:` URL. The browser sends no request for such a URL. */
const localRefused = "Not allowed to load local resource: ";

function consoleFinding({ kind, text }: ConsoleMessage): Omit<Finding, "view"> {
  if (text.startsWith(localRefused)) {
    const request: FailedRequest = { url: text.slice(localRefused.length), kind: "other", why: "not-found" };
    const write = ({ only }: Place) => requestSentence(request, [request.url]) + only;
    return { order: order.missingPart, key: JSON.stringify(["request", request.url]), write };
  }
  if (kind === "exception" && refusedBySandbox.test(text)) return refusalFinding(text);
  const what = {
    exception: "A script stopped at an uncaught error",
    error: "The console has an error",
    warning: "The console has a warning",
  }[kind];
  const write = ({ only }: Place) => `${what}: ${quoted(text)}.${only}`;
  return { order: order[kind], key: JSON.stringify(["console", kind, text]), write };
}

function refusalFinding(text: string): Omit<Finding, "view"> {
  const write = ({ only }: Place) =>
    `A script stopped because pages in the viewer have no storage, cookies or pointer lock: ${quoted(text)}. ` +
    `Wrap the access in try and catch, or keep the state in memory.${only}`;
  return { order: order.exception, key: JSON.stringify(["refused", text]), write };
}

/** Groups failed requests by reason, kind and host, so that each group becomes one finding. */
function requestFindings(requests: readonly FailedRequest[]): Omit<Finding, "view">[] {
  const explained = requests.map((request) =>
    request.why === "outside" && lostReasonOf(request.url) !== undefined
      ? { ...request, why: "not-found" as const }
      : request,
  );
  const each = new Map(explained.map((request) => [JSON.stringify(request), request]));
  const groups = Map.groupBy(each.values(), ({ url, kind, why }) =>
    JSON.stringify(why === "too-many" ? [why] : [why, kind, hostOf(url)]),
  );
  return [...groups].flatMap(([key, group]) => {
    const [first] = group;
    if (first === undefined) return [];
    const urls = group.map(({ url }) => url);
    const write = ({ only }: Place) => `${requestSentence(first, urls)}${only}`;
    return [{ order: order.missingPart, key: JSON.stringify(["request", key, urls]), write }];
  });
}

function hostOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { host, protocol } = new URL(url);
  return host || protocol;
}

/** Nouns for the resource types of the Chrome DevTools Protocol. */
const requested: Readonly<Record<string, readonly [one: string, many: string]>> = {
  script: ["script", "scripts"],
  stylesheet: ["stylesheet", "stylesheets"],
  image: ["image", "images"],
  font: ["font", "fonts"],
  media: ["video or audio file", "video or audio files"],
  document: ["framed page", "framed pages"],
};

/** Resource types of scripts' data requests. Their findings advise to put the data into the page instead of uploading a file. */
const asking: Readonly<Record<string, string | undefined>> = {
  fetch: "fetch",
  xhr: "XMLHttpRequest",
  websocket: "WebSocket",
  eventsource: "EventSource",
};

function requestSentence({ kind, why }: FailedRequest, urls: readonly string[]): string {
  const [one, many] = requested[kind] ?? ["file", "files"];
  const isOne = urls.length === 1;
  if (why === "too-many") {
    return `The page made too many requests: ${isOne ? "1 request" : `${urls.length} requests`} got no response.`;
  }
  const way = asking[kind];
  if (way !== undefined && (why === "not-found" || why === "outside")) {
    const who = isOne ? `A request by ${way}` : `${urls.length} requests by ${way}`;
    const problem =
      why === "outside"
        ? "to other sites got no response"
        : `cannot get a response for anyone, because ${lostCause(urls)}`;
    return `${who} ${problem}. Put the data into the page: ${elements(urls)}.`;
  }
  const what = isOne ? `The ${one}` : `${urls.length} ${many}`;
  const were = isOne ? "was" : "were";
  const it = isOne ? "it" : "them";
  const names = elements(urls);
  switch (why) {
    case "outside":
      return `${what} from ${isOne ? "another site" : "other sites"} ${were} not loaded here; readers' browsers may load ${it}. To be sure, put ${it} into the page or upload ${it}: ${names}.`;
    case "not-found":
      return `${what} cannot load for anyone, because ${lostCause(urls)}. Put ${it} into the page, upload ${it} and use ${isOne ? "its URL" : "their URLs"}, or publish ${it} in the page's folder: ${names}.`;
    case "not-for-readers":
      return `${what} ${isOne ? "has" : "have"} fewer readers than the page, and ${were} left out. Share ${it} with the page's readers: ${names}.`;
    case "failed":
      return `${what} could not be fetched: ${names}.`;
  }
}

/** Returns the reason why the URLs of one host cannot load for any reader. */
function lostCause([url = ""]: readonly string[]): string {
  switch (lostReasonOf(url)) {
    case "scheme":
      return `a browser cannot open ${url.slice(0, url.indexOf(":") + 1)} addresses from a page`;
    case "local-host":
      return "this host is each reader's own computer";
    case undefined:
      return "the service has no such file";
  }
}

function overflowFinding({ pixels, elements: outside }: Overflow, view: ViewName): Omit<Finding, "view"> {
  const widthPx = views.find(({ name }) => name === view)?.widthPx ?? 0;
  const reaching = outside.map(
    ({ selector, pixels: by }) => `${elements([selector])} reaches ${Math.round(by)} px beyond it`,
  );
  const which = reaching.length === 0 ? "" : `: ${listed(reaching.slice(0, 3))}`;
  const rest = reaching.length > 3 ? `, and ${times(reaching.length - 3, "more element")}` : "";
  const write = ({ words }: Place) =>
    `${words.charAt(0).toUpperCase()}${words.slice(1)} the page is ${Math.round(pixels)} px wider than the screen${which}${rest}.`;
  return { order: order.overflow, key: JSON.stringify(["overflow", widthPx, pixels, outside]), write };
}

function formFinding({ selector, url }: PostForm): Omit<Finding, "view"> {
  const write = ({ only }: Place) =>
    `The form ${elements([selector])} posts to ${elements([url])}, which the viewer does not allow: readers have to open the page on its own first. ` +
    `Use method="get", a link, or a script that shows the result.${only}`;
  return { order: order.attempt, key: JSON.stringify(["form", selector, url]), write };
}

const noLoad: Omit<Finding, "view"> = {
  order: order.noLoad,
  key: "no-load",
  write: ({ only }) => `The page did not finish loading in time: its load event did not fire.${only}`,
};

function attemptFinding({ kind, count }: Attempt): Omit<Finding, "view"> {
  const write = ({ only }: Place) => `${attemptSentence(kind, count)}${only}`;
  return { order: order.attempt, key: JSON.stringify(["attempt", kind, count]), write };
}

function attemptSentence(kind: Attempt["kind"], count: number): string {
  const often = count === 1 ? "" : ` ${count} times`;
  switch (kind) {
    case "dialog":
      return `The page opened ${count === 1 ? "a dialog" : `${count} dialogs`} without a click. Every reader has to close ${count === 1 ? "it" : "them"}.`;
    case "download":
      return `The page started ${count === 1 ? "a download" : `${count} downloads`} without a click.`;
    case "navigation":
      return `The page tried to go to another address without a click${often}. Readers stay on the page.`;
    case "window":
      return `The page tried to open ${count === 1 ? "a window" : `${count} windows`} without a click. Readers do not see ${count === 1 ? "it" : "them"}.`;
  }
}

function stopSentence(stopped: Stop, { views: seen }: PageReport): string {
  const why = {
    time: "it took too long, for example because of an endless script",
    memory: "it took too much memory",
    crash: "it crashed the browser",
  }[stopped];
  const all = views.map(({ name }) => name);
  const missing = all.filter((name) => !seen.some((view) => view.name === name));
  const quiet = seen.filter(({ isWithoutScripts }) => isWithoutScripts).map(({ name }) => name);
  const parts = [
    `The page was stopped: ${why}.`,
    ...(quiet.length > 0 ? [`Views that were checked without scripts: ${listed(quiet)}.`] : []),
    ...(missing.length > 0 ? [`Views that were not checked: ${listed(missing)}.`] : []),
  ];
  return parts.join(" ");
}

import { quickAndSlow } from "../../support/quick-and-slow.ts";

/** A way for a page's script to read an address of its own host. */
export interface ReadingWay {
  readonly name: string;
  /** Returns a script that resolves to the text that it could read, or to the name of the error. */
  readonly script: (address: string) => string;
}

/** Time limit. On a busy machine, each of ten windows that open concurrently takes seconds. */
const waitMs = 60_000;

/** Resolves to a promise's value, the name of its error, or "no result" after the time limit. */
const settled = `const settled = (promise) => Promise.race([
  promise.catch((error) => error.name),
  new Promise((resolve) => setTimeout(resolve, ${waitMs}, "no result")),
]);`;

/** Reads another window or frame as far as the script may. */
const look = `const look = (view) => {
  try { return view.closed ? "closed" : view.document.documentElement.outerHTML; } catch (error) { return error.name; }
};`;

/** Reads a window until its page is complete or the window is inaccessible. */
const watch = `const watch = async (view) => {
  for (const end = Date.now() + ${waitMs}; Date.now() < end; await new Promise((done) => setTimeout(done, 20))) {
    const seen = look(view);
    if (seen === "closed" || seen === "SecurityError") return seen;
    try {
      if (view.location.href !== "about:blank" && view.document.readyState === "complete") return look(view);
    } catch {
      // The window has become cross-origin since the last read.
    }
  }
  return "no result";
};`;

/** Every way that reads a page of the same host unless the service prevents it. */
export const everyWay: readonly ReadingWay[] = [
  way("fetch", (address) => `settled(fetch(${address}).then((answer) => answer.text()))`),
  way(
    "fetch with a navigation's headers",
    (
      address,
    ) => `settled(fetch(${address}, { headers: { "sec-fetch-dest": "document", "sec-fetch-mode": "navigate",
      accept: "text/html", "upgrade-insecure-requests": "1" } }).then((answer) => answer.text()))`,
  ),
  way(
    "fetch after a prefetch",
    (address) => `settled(new Promise((resolve) => {
      const link = document.createElement("link");
      link.rel = "prefetch";
      link.as = "document";
      link.href = ${address};
      link.onload = link.onerror = resolve;
      document.head.append(link);
    }).then(() => fetch(${address}, { cache: "force-cache" })).then((answer) => answer.text()))`,
  ),
  way(
    "XMLHttpRequest",
    (address) => `settled(new Promise((resolve) => {
      const request = new XMLHttpRequest();
      request.onloadend = () => resolve(request.responseText);
      request.open("GET", ${address});
      request.send();
    }))`,
  ),
  way(
    "a worker's fetch",
    (address) => `settled(new Promise((resolve) => {
      const source = "fetch(" + JSON.stringify(new URL(${address}, location.href).href) + ")"
        + ".then((answer) => answer.text()).catch(String).then(postMessage)";
      const worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
      worker.onmessage = ({ data }) => resolve(data);
    }))`,
  ),
  ...["iframe", "object", "embed"].map((element) =>
    way(
      `<${element}>`,
      (address) => `settled(new Promise((resolve) => {
        const holder = document.createElement("${element}");
        holder.onload = holder.onerror = () => setTimeout(() => resolve(look(window[window.length - 1])), 50);
        holder[${JSON.stringify(element === "object" ? "data" : "src")}] = ${address};
        document.body.append(holder);
      }))`,
    ),
  ),
  way(
    "a frame in a frame without an address",
    (address) => `settled(new Promise((resolve) => {
      const outer = document.createElement("iframe");
      document.body.append(outer);
      const inner = outer.contentDocument.createElement("iframe");
      inner.onload = () => setTimeout(() => resolve(look(inner.contentWindow)), 50);
      inner.src = ${address};
      outer.contentDocument.body.append(inner);
    }))`,
  ),
  way("a window that it opened", (address) => `watch(window.open(${address}))`),
  way(
    "a window that it opened empty and then navigated",
    (address) => `(() => {
      const opened = window.open("about:blank");
      opened.location = ${address};
      return watch(opened);
    })()`,
  ),
  way(
    "a window that its own frame navigates",
    (address) => `(() => {
      const name = "led" + Math.random();
      const opened = window.open("about:blank", name);
      const frame = document.createElement("iframe");
      document.body.append(frame);
      frame.contentWindow.open(${address}, name);
      return watch(opened);
    })()`,
  ),
];

const isCommon = ({ name }: ReadingWay) => ["fetch", "<iframe>", "a window that it opened"].includes(name);

/** A request, a frame and a window. */
export const commonWays = everyWay.filter(isCommon);

/** Only the common ways run in the quick tests. */
export const readingWays = quickAndSlow(everyWay, isCommon);

function way(name: string, expression: (address: string) => string): ReadingWay {
  const script = (address: string) => `(() => {
    ${settled} ${look} ${watch}
    return ${expression(JSON.stringify(address))};
  })()`;
  return { name, script };
}

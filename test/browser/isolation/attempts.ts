import type { HostilePlace } from "./hostile-places.ts";

/** Other parties that a hostile page attacks. */
export const strangers = [
  "a stranger's raw page",
  "a stranger's viewer",
  "a stranger's list",
  "a stranger's unlocked page",
  "a stranger's context",
  "the verify page",
  "the login page",
  "the API's account",
  "the API's poll",
] as const;

/** Addresses that a hostile page reaches for. */
export interface Targets {
  /** The hostile page's own, on its owner's host. */
  readonly ownPage: string;
  /** A file of the hostile page's owner, which was uploaded as a script. */
  readonly ownScriptFile: string;
  readonly strangers: Readonly<Record<(typeof strangers)[number], string>>;
}

/** Something that a hostile page's script tries. */
export interface Attempt {
  readonly name: string;
  /** The value, awaited, is what was got; what is thrown is reported by the error's name. */
  readonly expression: (targets: Targets) => string;
  /** Outcome of the attempt. A page with the origin of its owner's host may access its own owner's data. */
  readonly outcome: (place: HostilePlace) => string;
}

/** A script whose value is what the attempt got, or the name of what it threw. */
export function reporting(expression: string): string {
  return `(async () => { try { return String(await (${expression})); } catch (error) { return error.name; } })()`;
}

const says = `<script>try { localStorage.length; parent.postMessage("allowed", "*") }
  catch (error) { parent.postMessage(error.name, "*") }</script>`;

/** Windows that a page can read, of all that passes through the functions which scripts of ours in the page call. */
const reachedUnderStandIns = `(async () => {
  const seen = new Set();
  const restore = [];
  const watch = (object, name) => {
    const original = object[name];
    object[name] = function (...args) {
      for (const one of [this, ...args]) if (typeof one === "object" || typeof one === "function") seen.add(one);
      return Reflect.apply(original, this, args);
    };
    restore.push(() => { object[name] = original; });
  };
  for (const name of ["get", "set", "has"]) { watch(Map.prototype, name); watch(WeakMap.prototype, name); }
  for (const name of ["addEventListener", "dispatchEvent"]) watch(EventTarget.prototype, name);
  for (const name of ["map", "find", "some"]) watch(Array.prototype, name);
  watch(Reflect, "construct");
  watch(window, "setTimeout");
  try {
    localStorage.setItem("seen", "1");
    document.cookie = "own=1";
    indexedDB.open("seen");
    navigator.serviceWorker.register("seen.js").catch(() => {});
    fetch("seen.txt").catch(() => {});
    new Image().src = "seen.png";
    try { new Worker("seen.js"); } catch {}
    await new Promise((resolve) => requestAnimationFrame(() => resolve()));
  } finally {
    for (const one of restore) one();
  }
  const others = [...seen, ...[...seen].map((one) => { try { return one?.source ?? one?.view; } catch {} })];
  const read = others.filter((one) => { try { return one && one !== window && one.window === one && one.document; } catch { return false; } });
  return read.length || "none";
})()`;

/** Attempts that succeed without a defence, as a control. */
const withItsOwn: readonly Attempt[] = [
  // Without an origin, these are in the page's memory.
  everywhere("localStorage", `localStorage.setItem("key", "kept"), localStorage.getItem("key")`, "kept"),
  everywhere(
    "sessionStorage",
    `sessionStorage.setItem("key", "kept"), sessionStorage.getItem("key")`,
    "kept",
  ),
  everywhere("a cookie", `document.cookie = "own=1", document.cookie.includes("own=1")`, "true"),
  own(
    "a database",
    `new Promise((resolve, reject) => {
      const request = indexedDB.open("database");
      request.onsuccess = () => resolve("opened");
      request.onerror = () => reject(request.error);
    })`,
    "opened",
    "InvalidStateError",
  ),
  own("a cache", `caches.open("cache").then(() => "opened")`, "opened"),
  own(
    "its own page by fetch",
    ({ ownPage }) => `fetch(${quoted(ownPage)}).then(() => "read")`,
    "read",
    "TypeError",
  ),
  own("its own page in a frame", ({ ownPage }) => shownInFrame(ownPage), "[object HTMLDocument]", "null"),
  own(
    "storage, by a frame without an address that allows it its origin",
    saidByFrame(`frame.sandbox = "allow-scripts allow-same-origin"; frame.srcdoc = ${quoted(says)}`),
    "allowed",
  ),
  own(
    "storage, by a frame of a blob: address",
    saidByFrame(`frame.src = URL.createObjectURL(new Blob([${quoted(says)}], { type: "text/html" }))`),
    "allowed",
  ),
  own(
    "storage, by a frame of its own page that allows it its origin",
    ({ ownPage }) =>
      saidByFrame(`frame.sandbox = "allow-scripts allow-same-origin"; frame.src = ${quoted(ownPage)}`),
    "allowed",
    // `frame-ancestors 'self'`: what has no origin is not the host itself.
    "nothing",
  ),
  everywhere("a script of a data: address", loaded("script", "src", "data:text/javascript,0"), "loaded"),
  everywhere("a style of a data: address", loaded("link", "href", "data:text/css,*{}"), "loaded"),
];

const atStrangers: readonly Attempt[] = strangers.flatMap((what) => {
  const at = (expression: (address: string) => string) => (targets: Targets) =>
    expression(targets.strangers[what]);
  return [
    everywhere(
      `${what} by fetch`,
      at(
        (address) => `fetch(${quoted(address)}, { credentials: "include" }).then((answer) => answer.text())`,
      ),
      "TypeError",
    ),
    everywhere(
      `${what} as a script`,
      at((address) => loaded("script", "src", address)),
      "error",
    ),
    everywhere(
      `${what} as a style`,
      at((address) => loaded("link", "href", address)),
      "error",
    ),
    everywhere(`${what} in a frame`, at(shownInFrame), "null"),
    everywhere(
      `${what} in a worker`,
      at((address) => `new Worker(${quoted(address)}) && "started"`),
      "SecurityError",
    ),
    everywhere(
      `${what} in a shared worker`,
      at((address) => `new SharedWorker(${quoted(address)}) && "started"`),
      "SecurityError",
    ),
  ];
});

const atTheBrowser: readonly Attempt[] = [
  // The edge has nothing for the request of a service worker.
  own("a service worker of its own page", ({ ownPage }) => register(quoted(ownPage)), "TypeError"),
  own(
    "a service worker of its own file",
    ({ ownScriptFile }) => register(quoted(ownScriptFile)),
    "TypeError",
  ),
  own("a service worker of a blob: address", register(`URL.createObjectURL(new Blob([""]))`), "TypeError"),
  ofParent(
    "a cookie for the parent domain",
    `document.cookie = "tossed=1; Domain=localhost; Path=/", document.cookie.includes("tossed")`,
  ),
  ofParent(
    "a cookie of a sign-in's name for the parent domain",
    `document.cookie = "__Host-dl_verify_BBBB-BBBB=1; Secure; Domain=localhost; Path=/", document.cookie.includes("verify")`,
  ),
  everywhere("another window, by what is under the stand-ins", reachedUnderStandIns, "none"),
  everywhere("the parent domain as its own", `document.domain = "localhost", "set"`, "SecurityError"),
  ...["geolocation", "camera", "microphone"].map((name) =>
    everywhere(
      `the ${name}`,
      `navigator.permissions.query({ name: "${name}" }).then(({ state }) => state)`,
      "denied",
    ),
  ),
];

/** Attempts of every page, at any place. */
export const attempts: readonly Attempt[] = [...withItsOwn, ...atStrangers, ...atTheBrowser];

type Expression = string | Attempt["expression"];

/** Attempt that succeeds only with the origin of the owner's host. */
function own(name: string, expression: Expression, got: string, refusal = "SecurityError"): Attempt {
  return { name, expression: given(expression), outcome: ({ hasOrigin }) => (hasOrigin ? got : refusal) };
}

function everywhere(name: string, expression: Expression, got: string): Attempt {
  return { name, expression: given(expression), outcome: () => got };
}

/** Attempt to set a cookie for the base host, which has a page's own memory there, and the browser nothing. */
function ofParent(name: string, expression: Expression): Attempt {
  const outcome = ({ hasOrigin, isFramed }: HostilePlace) => String(!hasOrigin && !isFramed);
  return { name, expression: given(expression), outcome };
}

function given(expression: Expression): Attempt["expression"] {
  return typeof expression === "string" ? () => expression : expression;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

function register(address: string): string {
  return `navigator.serviceWorker.register(${address}, { scope: "/" }).then(() => "registered")`;
}

function loaded(element: "script" | "link", attribute: string, address: string): string {
  return `new Promise((resolve) => {
    const element = document.createElement("${element}");
    element.onload = () => resolve("loaded");
    element.onerror = () => resolve("error");
    element.rel = "stylesheet";
    element.${attribute} = ${quoted(address)};
    document.head.append(element);
  })`;
}

/** The document of a frame, which is null where it is another origin's. */
function shownInFrame(address: string): string {
  return `new Promise((resolve) => {
    const frame = document.createElement("iframe");
    frame.onload = () => {
      resolve(String(frame.contentDocument));
      frame.remove();
    };
    frame.src = ${quoted(address)};
    document.body.append(frame);
  })`;
}

/** Message of a frame to the page that made it. */
function saidByFrame(setUp: string): string {
  return `new Promise((resolve) => {
    const frame = document.createElement("iframe");
    addEventListener("message", ({ source, data }) => { if (source === frame.contentWindow) resolve(data); });
    frame.onload = () => setTimeout(resolve, 200, "nothing");
    ${setUp};
    document.body.append(frame);
  })`;
}

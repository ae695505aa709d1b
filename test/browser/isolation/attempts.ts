import type { HostilePlace } from "./hostile-places.ts";

/** Other parties that a hostile page attacks. */
export const strangers = [
  "a stranger's raw page",
  "a stranger's viewer",
  "a stranger's owner page",
  "a stranger's unlocked page",
  "a stranger's context",
  "the verify page",
  "the login page",
  "the API's account",
  "the API's poll",
] as const;

/** Addresses that a hostile page attacks. */
export interface Targets {
  /** Address of the hostile page on its owner's host. */
  readonly ownPage: string;
  /** A script that the hostile page's owner uploaded as a file. */
  readonly ownScriptFile: string;
  readonly strangers: Readonly<Record<(typeof strangers)[number], string>>;
}

/** Attempt of a hostile page's script. */
export interface Attempt {
  readonly name: string;
  /** Returns a script that resolves to the attempt's result or rejects with an error. */
  readonly expression: (targets: Targets) => string;
  /** Expected result, or the error's name. A page with the origin of its owner's host may access its owner's data. */
  readonly outcome: (place: HostilePlace) => string;
}

/** Returns a script that resolves to the attempt's result or to the name of its error. */
export function reporting(expression: string): string {
  return `(async () => { try { return String(await (${expression})); } catch (error) { return error.name; } })()`;
}

const says = `<script>try { localStorage.length; parent.postMessage("allowed", "*") }
  catch (error) { parent.postMessage(error.name, "*") }</script>`;

/** Script that counts the other windows that a page can read among all values passed to the built-ins that the service's scripts call. */
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
  // Without an origin, these are stored in the page's memory.
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
    "storage, in a srcdoc frame that allows its origin",
    saidByFrame(`frame.sandbox = "allow-scripts allow-same-origin"; frame.srcdoc = ${quoted(says)}`),
    "allowed",
  ),
  own(
    "storage, in a frame with a blob: URL",
    saidByFrame(`frame.src = URL.createObjectURL(new Blob([${quoted(says)}], { type: "text/html" }))`),
    "allowed",
  ),
  own(
    "storage, in a frame of its own page that allows its origin",
    ({ ownPage }) =>
      saidByFrame(`frame.sandbox = "allow-scripts allow-same-origin"; frame.src = ${quoted(ownPage)}`),
    "allowed",
    // Refused by `frame-ancestors 'self'`: a page without an origin is not 'self'.
    "nothing",
  ),
  everywhere("a script with a data: URL", loaded("script", "src", "data:text/javascript,0"), "loaded"),
  everywhere("a style with a data: URL", loaded("link", "href", "data:text/css,*{}"), "loaded"),
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
  // The edge serves nothing to a service worker's request.
  own("a service worker of its own page", ({ ownPage }) => register(quoted(ownPage)), "TypeError"),
  own(
    "a service worker of its own file",
    ({ ownScriptFile }) => register(quoted(ownScriptFile)),
    "TypeError",
  ),
  own("a service worker with a blob: URL", register(`URL.createObjectURL(new Blob([""]))`), "TypeError"),
  ofParent(
    "a cookie for the parent domain",
    `document.cookie = "tossed=1; Domain=localhost; Path=/", document.cookie.includes("tossed")`,
  ),
  ofParent(
    "a sign-in cookie for the parent domain",
    `document.cookie = "__Host-dl_verify_BBBB-BBBB=1; Secure; Domain=localhost; Path=/", document.cookie.includes("verify")`,
  ),
  everywhere(
    "another window, through the built-ins that the service's scripts call",
    reachedUnderStandIns,
    "none",
  ),
  everywhere("the parent domain as its own", `document.domain = "localhost", "set"`, "SecurityError"),
  ...["geolocation", "camera", "microphone"].map((name) =>
    everywhere(
      `the ${name}`,
      `navigator.permissions.query({ name: "${name}" }).then(({ state }) => state)`,
      "denied",
    ),
  ),
];

/** Attempts of every page in every place. */
export const attempts: readonly Attempt[] = [...withItsOwn, ...atStrangers, ...atTheBrowser];

type Expression = string | Attempt["expression"];

/** Defines an attempt that succeeds only with the origin of the owner's host. */
function own(name: string, expression: Expression, got: string, refusal = "SecurityError"): Attempt {
  return { name, expression: given(expression), outcome: ({ hasOrigin }) => (hasOrigin ? got : refusal) };
}

function everywhere(name: string, expression: Expression, got: string): Attempt {
  return { name, expression: given(expression), outcome: () => got };
}

/** Defines an attempt to set a cookie for the base host. A page without an origin keeps the cookie in its own memory. */
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

/** Returns a script that resolves to a frame's document, which is null for another origin. */
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

/** Returns a script that resolves to a frame's message to the page that made it. */
function saidByFrame(setUp: string): string {
  return `new Promise((resolve) => {
    const frame = document.createElement("iframe");
    addEventListener("message", ({ source, data }) => { if (source === frame.contentWindow) resolve(data); });
    frame.onload = () => setTimeout(resolve, 200, "nothing");
    ${setUp};
    document.body.append(frame);
  })`;
}

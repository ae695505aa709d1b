import type { Files } from "../../support/folders.ts";

/** Script that prints the result of each of a page's cases, or the name of its error. The folder's address is left out of other addresses. */
const reportScript = `const folder = new URL(".", document.baseURI).href;
const at = (address) => String(address).replaceAll(folder, "FOLDER/");
const late = () => new Promise((resolve) => setTimeout(resolve, 20000, "nothing"));
const loaded = (element) => new Promise((resolve, reject) => {
  element.onload = () => resolve(element);
  element.onerror = () => reject(new Error("not loaded"));
  document.body.append(element);
});
const reply = (worker, message) => new Promise((resolve) => {
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = (event) => resolve("error: " + event.message);
  if (message !== undefined) worker.postMessage(message);
});
async function report(cases) {
  const print = async ([name, run]) => {
    const outcome = await Promise.race([late(), (async () => run())().catch((error) => "threw " + error.name)]);
    return name + ": " + JSON.stringify(outcome);
  };
  document.getElementById("o").textContent = (await Promise.all(Object.entries(cases).map(print))).join("\\n");
}
/** Prints the same results, but runs the cases one after another. */
async function reportInTurn(cases) {
  const lines = [];
  for (const [name, run] of Object.entries(cases)) lines.push(name + ": " + await (async () => run())().then(JSON.stringify, (error) => "threw " + error.name));
  document.getElementById("o").textContent = lines.join("\\n");
}`;

const classicWorker = `importScripts("lib/a.js", "lib/b.js");
onmessage = async ({ data }) => {
  const { more } = await import("./lib/module.js");
  const request = new XMLHttpRequest();
  request.open("GET", "data.txt", false);
  request.send();
  const nested = new Worker("nested/deep.js");
  const deep = await new Promise((resolve) => { nested.onmessage = ({ data }) => resolve(data); });
  postMessage({ twice: twice(data), isShared, more, text: await (await fetch("data.txt")).text(), xhr: request.responseText, deep,
    requested: await (await fetch(new Request("../data/data.txt".replace("../data/", "")))).text(),
    file: location.pathname.split("/").pop(), hasHref: location.href === String(self.location),
    url: await (await fetch(new URL("data.txt", location.href))).text(), name: self.name, missing: (await fetch("none.txt")).status,
    mode: await (await fetch("data.txt", { mode: "same-origin", credentials: "include" })).text() });
};`;

const moduleWorker = `import { more } from "./lib/module.js";
onmessage = async ({ data }) => {
  const dynamic = await import("./lib/module.js");
  const nested = new Worker(new URL("nested/deep-module.js", import.meta.url), { type: "module" });
  const deep = await new Promise((resolve) => { nested.onmessage = ({ data }) => resolve(data); });
  postMessage({ data, more, dynamic: dynamic.more, deep, file: import.meta.url.split("/").pop(), place: location.href === import.meta.url,
    text: await (await fetch("data.txt")).text() });
};`;

const workerCases = `<script>report({
  classic: () => reply(new Worker("worker.js", { name: "my name" }), 21),
  messagesInOrder: () => new Promise((resolve) => {
    const worker = new Worker("echo.js"), got = [];
    worker.addEventListener("message", ({ data }) => { got.push(data); if (got.length === 3) resolve(got); });
    for (const one of [1, 2, 3]) worker.postMessage(one);
  }),
  module: () => reply(new Worker(new URL("module-worker.js", document.baseURI), { type: "module" }), 21),
  instance: () => [new Worker("echo.js") instanceof Worker, Worker.name, Object.prototype.toString.call(new Worker("echo.js"))],
  derived: () => reply(new (class extends Worker { constructor() { super("echo.js"); } })(), 5),
  terminated: async () => {
    const worker = new Worker("echo.js");
    await reply(worker, 1);
    worker.terminate();
    return Promise.race([reply(worker, 2), new Promise((resolve) => setTimeout(resolve, 300, "ended"))]);
  },
  error: () => reply(new Worker("throws.js")),
  errorPlace: () => new Promise((resolve) => {
    new Worker("throws.js").onerror = (event) => { event.preventDefault(); resolve([at(event.filename), event.lineno]); };
  }),
  errorOfModule: () => reply(new Worker("throws.js", { type: "module" })),
  missing: () => new Promise((resolve) => { new Worker("none.js").onerror = ({ type }) => resolve(type); }),
  missingModule: () => new Promise((resolve) => { new Worker("none.js", { type: "module" }).onerror = ({ type }) => resolve(type); }),
  otherSite: () => new Worker("http://127.0.0.1:1/x.js"),
  blob: () => reply(new Worker(URL.createObjectURL(new Blob(["onmessage = ({ data }) => postMessage(data * 3)"]))), 7),
  blobWithImports: () => reply(new Worker(URL.createObjectURL(new Blob(["importScripts('" + folder + "lib/a.js'); onmessage = ({ data }) => postMessage(twice(data))"]))), 7),
  blobModule: () => reply(new Worker(URL.createObjectURL(new Blob(["import { more } from '" + folder + "lib/module.js'; onmessage = () => postMessage(more)"], { type: "text/javascript" })), { type: "module" }), 7),
  blobUses: () => {
    const use = async ({ data }) => {
      const inner = new Worker(data + "echo.js");
      const echo = await new Promise((resolve) => { inner.onmessage = ({ data }) => resolve(data); inner.postMessage(3); });
      const text = await (await fetch(data + "data.txt", { headers: { "X-A": "1" }, credentials: "include" })).text();
      postMessage([echo, text, await caches.keys(), await navigator.locks.request("a", () => 7), location.protocol]);
    };
    return reply(new Worker(URL.createObjectURL(new Blob(["onmessage = " + use]))), folder);
  },
  blobRevoked: () => {
    const address = URL.createObjectURL(new Blob(['"use strict"; postMessage((function () { return this })() === undefined)']));
    const worker = new Worker(address);
    URL.revokeObjectURL(address);
    return reply(worker);
  },
  blobRelative: () => reply(new Worker(URL.createObjectURL(new Blob(["fetch('data.txt').catch(({ name }) => postMessage(name))"])))),
  data: () => reply(new Worker("data:text/javascript,onmessage = ({ data }) => postMessage(data * 4)"), 7),
  shared: async () => {
    const ask = (worker, message) => new Promise((resolve) => {
      worker.port.onmessage = ({ data }) => resolve(data);
      worker.port.postMessage(message);
    });
    const one = new SharedWorker("shared.js");
    const first = await ask(one, "a");
    // The second worker connects only now, because the reply counts connections.
    return [first, await ask(new SharedWorker("shared.js"), "b"), one instanceof SharedWorker];
  },
  sharedBlob: () => new Promise((resolve) => {
    const { port } = new SharedWorker(URL.createObjectURL(new Blob(["onconnect = ({ ports: [port] }) => port.postMessage('blob')"])));
    port.onmessage = ({ data }) => resolve(data);
  }),
  sharedModuleHandler: () => new Promise((resolve) => {
    const worker = new SharedWorker(new URL("shared.js?module", location.href), { type: "module" });
    worker.port.onmessage = ({ data }) => resolve(data);
    worker.port.postMessage("m");
  }),
  sharedModule: () => new Promise((resolve) => {
    const { port } = new SharedWorker("shared-module.js", { type: "module", name: "x" });
    port.addEventListener("message", ({ data }) => resolve(data));
    port.start();
  }),
  transfer: async () => {
    const { port1, port2 } = new MessageChannel();
    const worker = new Worker("ports.js");
    worker.postMessage("take", [port2]);
    return new Promise((resolve) => { port1.onmessage = ({ data }) => resolve(data); });
  },
  audioWorklet: async () => {
    const context = new OfflineAudioContext(1, 128, 44100);
    await context.audioWorklet.addModule("worklet.js");
    return new AudioWorkletNode(context, "quiet") instanceof AudioWorkletNode;
  },
  database: () => reply(new Worker("database.js")),
});</script>`;

const requestCases = `<script>report({
  sameOrigin: async () => (await fetch("data.txt", { mode: "same-origin" })).text(),
  include: async () => (await fetch("data.txt", { credentials: "include" })).text(),
  noCors: async () => (await fetch("data.txt", { mode: "no-cors" })).text(),
  ownHeaders: async () => (await fetch("data.txt", { headers: { "X-Requested-With": "XMLHttpRequest", "Cache-Control": "no-cache" } })).text(),
  json: async () => (await (await fetch("data.json", { headers: { "Content-Type": "application/json" } })).json()).a,
  request: async () => (await fetch(new Request("data.txt", { mode: "same-origin", credentials: "include" }))).text(),
  requestWithInit: async () => (await fetch(new Request("data.txt"), { credentials: "include", headers: new Headers({ "x-a": "b" }) })).text(),
  laterHeaders: async () => { const request = new Request("data.txt"); request.headers.set("x-late", "1"); return (await fetch(request)).text(); },
  cloned: async () => (await fetch(new Request("data.txt", { mode: "same-origin" }).clone())).text(),
  aborted: () => fetch("data.txt", { signal: AbortSignal.abort() }),
  status: async () => (await fetch("none.txt")).status,
  url: async () => at((await fetch("data.txt?x=1")).url),
  type: async () => (await fetch("data.json")).headers.get("content-type"),
  instance: () => new Request("data.txt") instanceof Request,
  requestUrl: () => at(new Request("data.txt").url),
  noAddress: () => fetch(),
  badAddress: () => fetch("http://:"),
  head: async () => (await fetch("data.txt", { method: "HEAD" })).status,
  xhr: () => new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("GET", "data.txt");
    request.withCredentials = true;
    request.setRequestHeader("X-Requested-With", "XMLHttpRequest");
    request.onload = () => resolve([request.status, request.responseText, at(request.responseURL)]);
    request.onerror = () => resolve("error");
    request.send();
  }),
  xhrAtOnce: () => { const request = new XMLHttpRequest(); request.open("GET", "data.txt", false); request.send(); return request.responseText; },
  xhrBeforeOpen: () => new XMLHttpRequest().setRequestHeader("a", "b"),
  xhrHeaders: () => new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("GET", new URL("data.json", document.baseURI));
    request.responseType = "json";
    request.onload = () => resolve([request.getResponseHeader("content-type"), request.response.a]);
    request.send();
  }),
  blobImport: async () => (await import(URL.createObjectURL(new Blob(["export const a = 4"], { type: "text/javascript" })))).a,
  moduleImport: async () => (await import("./lib/module.js")).more,
  channel: () => { new BroadcastChannel("x").postMessage(1); return "sent"; },
});</script>`;

const elementCases = `<svg width="60" height="60"><use id="parsed" href="sprite.svg#dot"/></svg><svg width="60" height="60"><use id="old" xlink:href="sprite.svg#dot"/></svg><svg width="60" height="60"><use id="changed" href="sprite.svg#dot"/></svg>
<p id="place"></p>
<script>
const decoded = async (image) => { await image.decode(); return image; };
const export1 = (image) => { const canvas = document.createElement("canvas"); canvas.getContext("2d").drawImage(image, 0, 0); return canvas.toDataURL().slice(0, 15); };
const width = async (use, wanted) => {
  for (let round = 0; round < 150 && use.getBBox().width !== wanted; round++) await new Promise((resolve) => setTimeout(resolve, 100));
  return use.getBBox().width;
};
report({
  image: async () => { const image = new Image(); image.src = "dot.svg"; return export1(await loaded(image)); },
  imageByAttribute: async () => { const image = document.createElement("img"); image.setAttribute("src", "dot.svg"); return export1(await loaded(image)); },
  imageWithCredentials: async () => { const image = new Image(); image.crossOrigin = "use-credentials"; image.src = "dot.svg"; return export1(await loaded(image)); },
  imageOfData: async () => { const image = new Image(); image.src = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="; return export1(await loaded(image)); },
  imageOfBlob: async () => { const image = new Image(); image.src = URL.createObjectURL(await (await fetch("dot.svg")).blob()); return export1(await loaded(image)); },
  imageOfText: async () => { document.getElementById("place").innerHTML = '<b>a</b><img alt="" src="dot.svg">'; return export1(await decoded(document.querySelector("#place img"))); },
  imageOfOuterText: async () => { const place = document.getElementById("place").appendChild(document.createElement("i")); place.outerHTML = '<img alt="" id="outer" src="dot.svg?o">'; return export1(await decoded(document.getElementById("outer"))); },
  imageOfFragment: async () => { document.body.append(document.createRange().createContextualFragment('<img id="fragment" src="dot.svg?f">')); return export1(await decoded(document.getElementById("fragment"))); },
  imagesOfOtherSites: () => { document.getElementById("place").innerHTML = '<img src="data:,a"><img src="https://host.invalid/src=a.png">'; return document.getElementById("place").innerHTML; },
  videoOfOtherSite: () => { const video = document.createElement("video"); video.src = "https://host.invalid/a.mp4"; video.setAttribute("poster", "dot.svg"); return video.crossOrigin; },
  address: () => { const image = new Image(); image.src = "dot.svg"; return [image.getAttribute("src"), at(image.src)]; },
  rules: async () => { const link = document.createElement("link"); link.rel = "stylesheet"; link.href = "style.css"; await loaded(link); return link.sheet.cssRules.length; },
  rulesByAttribute: async () => { const link = document.createElement("link"); link.setAttribute("href", "style.css"); link.setAttribute("rel", "stylesheet"); await loaded(link); return link.sheet.cssRules.length; },
  scriptsError: () => new Promise((resolve) => {
    addEventListener("error", ({ message }) => resolve(message), { once: true });
    const script = document.createElement("script");
    script.src = "throws.js";
    document.head.append(script);
  }),
  moduleScript: async () => { const script = document.createElement("script"); script.type = "module"; script.src = "lib/module.js"; await loaded(script); return "loaded"; },
  use: () => width(document.getElementById("parsed"), 40),
  useOfOldName: () => width(document.getElementById("old"), 40),
  useLater: () => {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg"), use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    use.setAttribute("href", "sprite.svg#dot");
    svg.append(use);
    document.body.append(svg);
    return width(use, 40);
  },
  useOfText: () => {
    const place = document.body.appendChild(document.createElement("p"));
    place.innerHTML = '<svg width="60" height="60"><use xlink:href="sprite.svg#dot"/></svg>';
    return width(place.querySelector("use"), 40);
  },
  useOfTemplate: () => {
    const template = document.createElement("template");
    template.innerHTML = '<svg width="60" height="60"><use class="a" href="./sprite.svg#dot"></use></svg>';
    document.body.append(template.content.cloneNode(true));
    return width(document.querySelector(".a"), 40);
  },
  useOfOldNameLater: () => {
    const use = document.querySelector("#old").cloneNode();
    use.setAttributeNS("http://www.w3.org/1999/xlink", "xlink:href", "other.svg#dot");
    document.getElementById("old").after(use);
    return width(use, 20);
  },
  useChanged: async () => {
    const use = document.getElementById("changed");
    await width(use, 40);
    use.setAttribute("href", "other.svg#dot");
    return width(use, 20);
  },
  middle: async () => {
    const place = document.body.appendChild(document.createElement("div"));
    place.style = "position: fixed; top: 0; height: 9px; width: 9px";
    const isSeen = (element, options) => new Promise((resolve) => new IntersectionObserver(([{ isIntersecting }]) => resolve(isIntersecting), options).observe(element));
    const found = [await isSeen(place), await isSeen(place, { rootMargin: "-49% 0px" }), await isSeen(place, { root: place.parentElement })];
    place.style.top = "50vh";
    return [...found, await isSeen(place, { rootMargin: "-49% 0px", root: null })];
  },
  mask: async () => { const image = await loaded(Object.assign(new Image(), { src: "dot.svg" })); image.style.mask = "url(dot.svg)"; return getComputedStyle(image).maskImage.startsWith("url("); },
});</script>`;

/** Scripts that refer to files by root-absolute addresses, like build tools do by default. */
const topCases = `<script>
const said = (element) => new Promise((resolve) => {
  addEventListener("message", ({ data, source }) => source === element.contentWindow && resolve(data));
  document.body.append(element);
});
const ofText = (html) => {
  const place = document.body.appendChild(document.createElement("p"));
  place.innerHTML = html;
  return place.firstElementChild;
};
const decoded = async (image) => { await image.decode(); return image.naturalWidth; };
const drawing = "%3csvg xmlns='http://www.w3.org/2000/svg' width='3' height='3'%3e%3cg id='a'/%3e%3cg id='b' /%3e%3c/svg%3e";
report({
  image: async () => { const image = new Image(); image.src = "/dot.svg"; return decoded(image); },
  imageByAttribute: async () => { const image = document.createElement("img"); image.setAttribute("src", "/dot.svg"); return decoded(image); },
  imageOfHost: async () => { const image = new Image(); image.src = new URL("/dot.svg?a=1", location.href); return decoded(image); },
  imageOfSet: async () => { const image = new Image(); image.srcset = "/dot.svg 1x, /dot.svg?b 2x"; return decoded(image); },
  imageOfText: () => decoded(ofText('<img alt="a / b" src="/dot.svg">')),
  imageOfBareText: () => decoded(ofText("<img src=/dot.svg>")),
  imageOfSetInText: () => decoded(ofText('<img srcset="/dot.svg?c 1x, /dot.svg?d 2x">')),
  imageOfData: () => { const image = new Image(); image.src = "data:image/svg+xml," + drawing; return decoded(image); },
  imageOfDataInText: () => decoded(ofText('<img src="data:image/svg+xml,' + drawing + '">')),
  backgroundOfData: () => { const element = ofText("<u></u>"); element.style.cssText = 'background: url("data:image/svg+xml,' + drawing.replaceAll("(", "") + '")'; return new Promise((resolve) => setTimeout(() => resolve(element.style.backgroundImage), 300)); },
  imageBeside: () => { const place = ofText("<b></b>"); place.insertAdjacentHTML("afterend", "<img src='/dot.svg'>"); return decoded(place.nextSibling); },
  imageOfShadow: () => { const root = ofText("<div></div>").attachShadow({ mode: "open" }); root.innerHTML = '<img src="/dot.svg">'; return decoded(root.firstChild); },
  imageOfTemplate: () => { const template = document.createElement("template"); template.innerHTML = '<img src="/dot.svg">'; return decoded(document.body.appendChild(template.content.cloneNode(true).firstChild)); },
  textAndLinks: () => ofText('<a href="/elsewhere" title="/a">see &lt;img src="/dot.svg"&gt;</a>').outerHTML,
  otherSite: () => ofText('<img src="//host.invalid/a.png">').getAttribute("src"),
  drawing: () => {
    const image = document.createElementNS("http://www.w3.org/2000/svg", "image");
    image.setAttributeNS("http://www.w3.org/1999/xlink", "xlink:href", "/dot.svg?image");
    ofText("<svg></svg>").append(image);
    return new Promise((resolve) => { image.onload = image.onerror = ({ type }) => resolve(type); });
  },
  imported: async () => (await import("/lib/module.js")).more,
  importedRelative: async () => (await import("./lib/module.js")).more,
  importedByScript: () => new Promise((resolve) => {
    globalThis.resolveMore = resolve;
    const script = document.createElement("script");
    script.type = "module";
    script.textContent = "import { more } from '/lib/module.js'; resolveMore(more);";
    document.body.append(script);
  }),
  audioWorklet: () => new OfflineAudioContext(1, 128, 44100).audioWorklet.addModule("/worklet.js"),
  rule: () => { const style = document.head.appendChild(document.createElement("style")); style.sheet.insertRule("b { background: url(/dot.svg) }"); return getComputedStyle(ofText("<b></b>")).backgroundImage.replace(folder, "FOLDER/"); },
  styleText: async () => {
    const style = document.createElement("style");
    style.append("i { background: url('/dot.svg') }");
    document.head.append(style);
    await new Promise((resolve) => setTimeout(resolve, 500));
    return getComputedStyle(ofText("<i></i>")).backgroundImage.replace(folder, "FOLDER/");
  },
  styleProperty: async () => {
    const element = ofText("<u></u>");
    element.style.backgroundImage = "url(/dot.svg)";
    await new Promise((resolve) => setTimeout(resolve, 500));
    return getComputedStyle(element).backgroundImage.replace(folder, "FOLDER/");
  },
  otherStyle: () => { const element = ofText("<u></u>"); element.style.cssText = "background: url(//host.invalid/a.png)"; return element.getAttribute("style"); },
  fetched: async () => (await fetch("/data.txt")).text(),
  requested: async () => (await fetch(new Request(location.origin + "/data.txt"))).text(),
  xhr: () => { const request = new XMLHttpRequest(); request.open("GET", "/data.txt", false); request.send(); return request.responseText; },
  missing: async () => (await fetch("/none.txt")).status,
  rules: async () => { const link = document.createElement("link"); link.rel = "stylesheet"; link.href = "/style.css"; await loaded(link); return link.sheet.cssRules.length; },
  script: async () => { const script = document.createElement("script"); script.src = "/lib/a.js"; await loaded(script); return twice(4); },
  frame: () => said(Object.assign(document.createElement("iframe"), { src: "/script.svg" })),
  object: () => said(Object.assign(document.createElement("object"), { data: "/script.svg", type: "image/svg+xml" })),
  worker: () => reply(new Worker("/echo.js"), 5),
  workerAtTop: () => reply(new Worker("/nested/top.js")),
  moduleWorker: () => reply(new Worker("/nested/deep-module.js", { type: "module" })),
  use: async () => {
    const use = ofText('<svg width="60" height="60"><use href="/sprite.svg#dot"/></svg>').firstChild;
    for (let round = 0; round < 150 && use.getBBox().width !== 40; round++) await new Promise((resolve) => setTimeout(resolve, 100));
    return use.getBBox().width;
  },
  audio: () => new Promise((resolve) => { const audio = new Audio("/sound.wav"); audio.onerror = audio.onloadedmetadata = ({ type }) => resolve(type); }),
});</script>`;

const storageCases = `<script>
const names = (object) => { const found = []; for (const name in object) if (!(name in Storage.prototype)) found.push(name); return found; };
reportInTurn({
  type: () => [typeof localStorage, localStorage instanceof Storage, String(localStorage), Object.prototype.toString.call(sessionStorage), localStorage === window.localStorage, "localStorage" in window],
  empty: () => [localStorage.length, localStorage.key(0), localStorage.getItem("x"), localStorage.x, "x" in localStorage],
  items: () => { localStorage.setItem("a", 1); localStorage.b = { c: 1 }; localStorage["d"] = null; return [localStorage.a, localStorage.getItem("b"), localStorage.d, localStorage.length]; },
  names: () => [Object.keys(localStorage).sort(), names(localStorage).sort(), Object.entries(localStorage).length, Reflect.ownKeys(localStorage).length, [0, 1, 2, 3].map((n) => localStorage.key(n)).sort()],
  json: () => Object.keys(JSON.parse(JSON.stringify(localStorage))).sort(),
  has: () => ["a" in localStorage, Object.hasOwn(localStorage, "a"), localStorage.hasOwnProperty("zz"), "getItem" in localStorage],
  spread: () => Object.keys({ ...localStorage }).sort(),
  descriptor: () => Object.getOwnPropertyDescriptor(localStorage, "a"),
  define: () => { Object.defineProperty(localStorage, "e", { value: 5 }); return localStorage.e; },
  remove: () => { delete localStorage.a; localStorage.removeItem("b"); return [localStorage.length, localStorage.a, delete localStorage.nothing]; },
  builtins: () => {
    sessionStorage.getItem = "mine";
    sessionStorage.setItem("length", "9");
    const stored = (key) => Storage.prototype.getItem.call(sessionStorage, key);
    const found = [sessionStorage.getItem, stored("getItem"), sessionStorage.length, stored("length"), Object.keys(sessionStorage)];
    delete sessionStorage.getItem;
    sessionStorage.clear();
    return [...found, typeof sessionStorage.getItem];
  },
  apart: () => { sessionStorage.setItem("s", "1"); return localStorage.getItem("s"); },
  clear: () => { localStorage.clear(); return [localStorage.length, Object.keys(localStorage), sessionStorage.length]; },
  fewArguments: () => localStorage.setItem("a"),
  wrongThis: () => Storage.prototype.getItem.call({}, "a"),
  patched: () => {
    const { setItem } = Storage.prototype, seen = [];
    Storage.prototype.setItem = function (...args) { seen.push(args[0]); return setItem.apply(this, args); };
    localStorage.setItem("p", "1");
    Storage.prototype.setItem = setItem;
    return [seen, localStorage.p];
  },
  quota: () => { try { localStorage.setItem("big", "x".repeat(6e6)); } catch (error) { return [error.name, error.code, localStorage.getItem("big")]; } },
  full: () => { localStorage.setItem("big", "x".repeat(4e6)); try { localStorage.setItem("more", "x".repeat(2e6)); } catch (error) { return error.name; } },
  roomAgain: () => {
    localStorage.big = "x"; localStorage.more = "x".repeat(2e6); delete localStorage.more; localStorage.setItem("more", "x".repeat(2e6));
    localStorage.removeItem("more"); localStorage.clear(); localStorage.setItem("a", "x".repeat(4e6)); localStorage.clear(); return localStorage.length;
  },
  many: () => {
    const start = performance.now();
    for (let n = 0; n < 20000; n++) sessionStorage.setItem("key" + n, "value" + n);
    const found = [sessionStorage.length, performance.now() - start < 4000];
    sessionStorage.clear();
    return found;
  },
  event: () => { const event = new StorageEvent("storage", { key: "k", storageArea: localStorage }); return [event.storageArea === localStorage, event.key, event instanceof StorageEvent, new StorageEvent("x").storageArea]; },
  frozen: () => Object.freeze(localStorage),
  symbol: () => { const key = Symbol("k"); localStorage[key] = 1; return [localStorage[key], Object.keys(localStorage).includes("k")]; },
  cookie: () => { document.cookie = "a=1; path=/; SameSite=Lax"; document.cookie = "b = two words ; max-age=60"; document.cookie = "c=3; expires=Fri, 31 Dec 2100 23:59:59 GMT"; return document.cookie.split("; ").sort(); },
  cookieAgain: () => { document.cookie = "a=2=3"; return document.cookie.split("; ").sort(); },
  cookieGone: () => { document.cookie = "a=; max-age=0"; document.cookie = "b=x; expires=Thu, 01 Jan 1970 00:00:00 GMT"; return document.cookie; },
  cookieRefused: () => { document.cookie = "h=1; HttpOnly"; document.cookie = "f=1; domain=elsewhere.example"; return document.cookie; },
  cookieStore: async () => {
    await cookieStore.set("s", "1");
    await cookieStore.set({ name: "t", value: "2", expires: Date.now() + 60000 });
    await cookieStore.set({ name: "u", value: "3", expires: Date.now() - 60000 });
    const found = [document.cookie.split("; ").sort(), (await cookieStore.get("s")).value, (await cookieStore.get({ name: "t" })).name, await cookieStore.get("u")];
    await cookieStore.delete("s");
    await cookieStore.delete({ name: "t" });
    return [...found, (await cookieStore.getAll("s")).length, await cookieStore.getAll("t")];
  },
  cookieEnabled: () => navigator.cookieEnabled,
  locks: async () => {
    const order = [];
    await Promise.all([
      navigator.locks.request("a", async () => { order.push(1); await new Promise((resolve) => setTimeout(resolve, 20)); order.push(2); }),
      navigator.locks.request("a", ({ name, mode }) => order.push(name + mode)),
      navigator.locks.request("b", { mode: "shared" }, () => order.push("b")),
    ]);
    return [order, await navigator.locks.request("a", { ifAvailable: true }, (lock) => lock === null), await navigator.locks.request("a", () => 7)];
  },
  lockFails: () => navigator.locks.request("a", () => { throw new RangeError(); }),
  registrations: () => navigator.serviceWorker.getRegistrations(),
  controller: () => navigator.serviceWorker.controller,
  caches: async () => [await caches.has("none"), await caches.keys()],
  keys: () => indexedDB.cmp(1, 2),
  estimate: async () => Object.keys(await navigator.storage.estimate()).includes("usage"),
});</script>`;

const page = (body: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Page</title><link rel="icon" href="data:,"><body><pre id="o"></pre><script>${reportScript}</script>${body}`;

const drawing = (id: string, size: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg"><symbol id="${id}" viewBox="0 0 10 10" width="${size}" height="${size}"><circle cx="5" cy="5" r="5"/></symbol></svg>`;

/** Pages that print the results of many small cases, one page for each subject. */
export const comparedPages = [
  "storage.html",
  "workers.html",
  "requests.html",
  "elements.html",
  "frames.html",
  "tops.html",
] as const;

/** Folder of these pages and the files that they use. */
export const comparedFolder: Files = {
  "index.html": page(`<script>report({ here: () => document.title });</script>`),
  "storage.html": page(storageCases),
  "workers.html": page(workerCases),
  "requests.html": page(requestCases),
  "elements.html": page(elementCases),
  "tops.html": page(topCases),
  "frames.html": page(`<script>
    const said = (name, element) => new Promise((resolve) => {
      addEventListener("message", ({ data, source }) => typeof data === "string" && (name === "embed" ? data === "last" : source === element.contentWindow) && resolve(data));
      document.body.append(element);
    });
    const made = (name, properties) => Object.assign(document.createElement(name), properties);
    report({
      iframe: () => said("iframe", made("iframe", { src: "child.html" })),
      object: () => said("object", made("object", { data: "child.html", type: "text/html" })),
      embed: () => said("embed", made("embed", { src: "last.html", type: "text/html" })),
      drawing: () => said("iframe", made("iframe", { src: "script.svg" })),
      drawingObject: () => said("object", made("object", { data: "script.svg", type: "image/svg+xml" })),
      xml: async () => { await loaded(made("iframe", { src: "a.xml" })); return "loaded"; },
      text: async () => { await loaded(made("iframe", { src: "data.txt" })); return "loaded"; },
      deeper: () => said("iframe", made("iframe", { src: "outer.html" })),
      blob: () => said("iframe", made("iframe", { src: URL.createObjectURL(new Blob(["<script>parent.postMessage('blob page', '*')<\\/script>"], { type: "text/html" })) })),
      srcdoc: () => said("iframe", made("iframe", { srcdoc: "<script>parent.postMessage('inner page', '*')<\\/script>" })),
    });</script>`),
  "child.html": `<!doctype html><title>Child</title><script>localStorage.setItem("k", "kept"); document.cookie = "x=1";
    const worker = new Worker("echo.js"); worker.onmessage = ({ data }) => parent.postMessage("child " + localStorage.k + data, "*"); worker.postMessage(8)</script>`,
  "last.html": `<!doctype html><script>parent.postMessage("last", "*")</script>`,
  "outer.html": `<!doctype html><title>Outer</title><script>addEventListener("message", ({ data }) => typeof data === "string" && parent.postMessage("outer " + data, "*"))</script><iframe src="child.html"></iframe>`,
  "script.svg": `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>parent.postMessage("drawing", "*")</script></svg>`,
  "a.xml": "<a><b/></a>",
  "data.txt": "the text",
  "data.json": `{"a":1}`,
  "dot.svg": `<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"><circle cx="3" cy="3" r="3"/></svg>`,
  "sprite.svg": drawing("dot", 40),
  "other.svg": drawing("dot", 20),
  "style.css": "b{color:red}i{color:blue}",
  "worker.js": classicWorker,
  "module-worker.js": moduleWorker,
  "echo.js": "onmessage = ({ data }) => postMessage(data)",
  "throws.js": '\nthrow new Error("mine")',
  "ports.js": 'onmessage = ({ data, ports }) => ports[0].postMessage(data + "n")',
  "shared.js":
    "let count = 0; onconnect = ({ ports: [port] }) => { count++; port.onmessage = ({ data }) => port.postMessage([data, count]); };",
  "shared-module.js": `import { more } from "./lib/module.js"; addEventListener("connect", ({ ports: [port] }) => port.postMessage([more, self.name]));`,
  "worklet.js": `import "./lib/module.js"; registerProcessor("quiet", class extends AudioWorkletProcessor { process() { return false; } });`,
  "database.js": `try { const request = indexedDB.open("x"); request.onsuccess = request.onerror = () => postMessage(request.readyState); } catch (error) { postMessage(error.name); }`,
  "lib/a.js": "const twice = (number) => number * 2;",
  "lib/b.js": `var isShared = twice(2) === 4; var note = "an import('x') in a string", other = 'an import("x") in another';`,
  "lib/module.js": `export const more = "more";`,
  "nested/deep.js": `importScripts("../lib/a.js"); fetch("near.txt").then((response) => response.text()).then((text) => postMessage(text + twice(2)));`,
  "nested/deep-module.js": `import { more } from "../lib/module.js"; postMessage(more + (await (await fetch("near.txt")).text()));`,
  "nested/top.js": `importScripts("/lib/a.js"); fetch("/data.txt").then((response) => response.text()).then((text) => postMessage(text + twice(2)));`,
  "nested/near.txt": "near",
  "sound.wav": Buffer.concat([
    Buffer.from(
      "RIFF\x2c\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\x08\0\0\0",
      "latin1",
    ),
    Buffer.alloc(8, 128),
  ]),
};

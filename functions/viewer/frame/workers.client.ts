/**
 * Starts workers from files of a page's folder. Browsers start a worker only from the page's own origin, which a
 * sandboxed page does not have. The replacement therefore starts a worker from an object URL, whose script runs this
 * script and then the worker's file.
 */
import { given, home, isOwnFile, resolveAddress, type WorkerKind } from "./own-folder.client.ts";

declare const importScripts: (...addresses: string[]) => void;

/** Matches calls of `import()` in a classic script, but not of a method with that name. */
const dynamicImports = /(?<![.\w$#'"`])import\s*\((?![^()]*\)\s*\{)/g;

/** URLs of classic scripts that a worker has imported. */
const importedFiles: string[] = [];

/** Blobs by object URL, for the URLs that the page or worker has created and not revoked. */
const blobs = new Map<string, Blob>();

/** Replaces `Worker` and `SharedWorker`. @param setUp source text of a function that runs this script in a worker */
export function installWorkers(setUp: string): void {
  if (typeof Worker === "undefined") return;
  const BrowsersWorker = Worker;
  const { createObjectURL, revokeObjectURL } = URL;
  URL.createObjectURL = (object) => {
    const address = createObjectURL(object);
    if (object instanceof Blob) blobs.set(address, object);
    return address;
  };
  URL.revokeObjectURL = (address) => {
    blobs.delete(address);
    revokeObjectURL(address);
  };
  const start = (
    address: unknown,
    options: WorkerOptions = {},
    kind: WorkerKind = "file",
    newTarget = Worker,
  ) => {
    const url = resolveAddress(String(address));
    const isModule = options?.type === "module";
    const isOwn = url !== undefined && isOwnFile(url);
    const made = url && blobs.get(url.href);
    if (!isOwn && !made) return Reflect.construct(BrowsersWorker, [address, options], newTarget);
    const use = kind === "shared" || isOwn ? kind : "made";
    const script = `(${setUp})(${JSON.stringify(isOwn ? url.href : home.href)},${JSON.stringify(use)});`;
    // Creates a new object URL, because the page may revoke its own URL immediately.
    const file = made ? createObjectURL(made) : url?.href;
    const first = isModule
      ? dataUrl(imports(dataUrl(script)) + imports(made ? dataUrl(readText(`${file}`)) : `${file}`))
      : createObjectURL(new Blob([`${script}importScripts(${JSON.stringify(file)})`]));
    return Reflect.construct(
      BrowsersWorker,
      [first, { ...options, credentials: "omit" }],
      newTarget,
    ) as Worker;
  };
  globalThis.Worker = new Proxy(BrowsersWorker, {
    construct: (_target, [address, options], newTarget) =>
      start(address, options, "file", newTarget as typeof Worker),
  });
  if (typeof SharedWorker !== "undefined") installSharedWorkers(start);
}

type Start = (address: unknown, options: WorkerOptions, kind: WorkerKind) => Worker;

/** Replaces `SharedWorker`. A shared worker is shared only within the page, because no other page has its origin. */
function installSharedWorkers(start: Start): void {
  const workers = new Map<string, Worker>();
  globalThis.SharedWorker = new Proxy(SharedWorker, {
    construct(_target, [address, given], newTarget) {
      const options: WorkerOptions = typeof given === "string" ? { name: given } : { ...given };
      const key = JSON.stringify([resolveAddress(String(address))?.href, options.name]);
      const worker = workers.get(key) ?? start(address, options, "shared");
      workers.set(key, worker);
      const shared = Reflect.construct(EventTarget, [], newTarget);
      const { port1, port2 } = new MessageChannel();
      Object.defineProperty(shared, "port", { value: port1, enumerable: true });
      worker.addEventListener("error", () => {
        const event = new Event("error");
        shared.dispatchEvent(event);
        shared.onerror?.(event);
      });
      Object.defineProperty(shared, "onerror", { value: null, writable: true });
      worker.postMessage(null, [port2]);
      return shared;
    },
  });
}

/** Adapts a worker's global scope: its location, `importScripts`, and the `connect` event of shared workers. */
export function becomeWorker(): void {
  if (given && given[1] !== "made")
    Object.defineProperty(globalThis, "location", { value: new URL(given[0]), configurable: true });
  if (given?.[1] === "shared") {
    Object.assign(globalThis, { onconnect: null });
    addEventListener("message", (event) => {
      event.stopImmediatePropagation();
      const connect = new MessageEvent("connect", {
        data: "",
        ports: [...event.ports],
        source: event.ports[0] ?? null,
      });
      dispatchEvent(connect);
      (globalThis as { onconnect?: (event: MessageEvent) => void }).onconnect?.(connect);
    });
  }
  if (typeof importScripts !== "function") return;
  const browsersImport = importScripts;
  Object.assign(globalThis, {
    dropleafImport: (file: number, specifier: unknown) => {
      const address = String(specifier);
      return import(/^\.{0,2}\//.test(address) ? new URL(address, importedFiles[file]).href : address);
    },
    importScripts: (...addresses: unknown[]) =>
      browsersImport(...addresses.map((one) => importable(String(one)))),
  });
}

/**
 * Fetches a classic script and returns an object URL with its text. Needed because a script imported from another
 * origin hides its errors and cannot import relative URLs.
 */
function importable(address: string): string {
  const url = resolveAddress(address);
  if (url === undefined || !isOwnFile(url)) return url?.href ?? address;
  // The replacement text contains no quotes, because the match may be inside a string.
  const start = `dropleafImport(${importedFiles.push(url.href) - 1},`;
  const text = readText(url.href).replace(dynamicImports, start);
  return URL.createObjectURL(new Blob([text, `\n//# sourceURL=${url.href}`]));
}

function readText(address: string): string {
  const request = new XMLHttpRequest();
  request.open("GET", address, false);
  request.send();
  if (request.status !== 200)
    throw new DOMException(`The script at '${address}' failed to load.`, "NetworkError");
  return request.responseText;
}

function imports(address: string): string {
  return `import ${JSON.stringify(address)};`;
}

/** Builds a data URL. Browsers do not start a module worker from an object URL of a page without an origin. */
function dataUrl(script: string): string {
  return `data:text/javascript,${encodeURIComponent(script)}`;
}

/**
 * Replaces services that browsers offer only to pages with an origin: databases, caches, locks and service workers. The
 * replacements fail as in a browser that has turned the services off.
 */
import { refusal } from "./refusals.client.ts";
import { reportSaving } from "./storage.client.ts";

/** Replaces the properties of a page or worker that throw when the origin is opaque, such as `indexedDB`. */
export function installServices(): void {
  installDatabases();
  installLocks();
  define(globalThis, "caches", {
    open: () => Promise.reject(refusal("storage", "SecurityError", "Caches are not available here.")),
    match: async () => undefined,
    has: async () => false,
    delete: async () => false,
    keys: async () => [],
  });
  if (typeof StorageManager !== "undefined")
    Object.assign(StorageManager.prototype, {
      estimate: async () => ({ quota: 0, usage: 0 }),
      persist: async () => false,
      persisted: async () => false,
    });
  if (typeof document !== "undefined" && "serviceWorker" in Navigator.prototype) installServiceWorkers();
}

function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { get: () => value, configurable: true, enumerable: true });
}

/**
 * Replaces IndexedDB. Opening a database ends in an error event, as in private windows of some browsers, so that libraries continue without
 * a database. Deleting a database succeeds, and the list of databases is empty.
 */
function installDatabases(): void {
  if (typeof IDBFactory === "undefined") return;
  const answer = (type: "error" | "success") => {
    const error =
      type === "error" ? refusal("storage", "InvalidStateError", "Databases are not available here.") : null;
    const request = Reflect.construct(EventTarget, [], IDBOpenDBRequest) as IDBOpenDBRequest;
    const state = { readyState: "pending", error: null as DOMException | null };
    const own = { result: undefined, source: null, transaction: null };
    for (const [name, value] of Object.entries(own)) define(request, name, value);
    for (const name of ["readyState", "error"] as const)
      Object.defineProperty(request, name, { get: () => state[name] });
    for (const name of ["error", "success", "blocked", "upgradeneeded"]) addHandler(request, name);
    setTimeout(() => {
      Object.assign(state, { readyState: "done", error });
      request.dispatchEvent(new Event(type, { bubbles: !!error, cancelable: !!error }));
    });
    return request;
  };
  Object.assign(IDBFactory.prototype, {
    open() {
      reportSaving(() => true);
      return answer("error");
    },
    deleteDatabase: () => answer("success"),
    databases: async () => [],
  });
}

/** Defines the `on…` property of an event on a replacement object. */
function addHandler(target: EventTarget, type: string): void {
  let handler: unknown = null;
  Object.defineProperty(target, `on${type}`, {
    get: () => handler,
    set: (given) => {
      handler = given;
    },
  });
  target.addEventListener(type, (event) => typeof handler === "function" && handler.call(target, event));
}

/**
 * Replaces service workers. Registration fails as in a browser that cannot load the script, so that pages can continue
 * without the worker.
 */
function installServiceWorkers(): void {
  const container = Reflect.construct(EventTarget, [], ServiceWorkerContainer) as ServiceWorkerContainer;
  const own = {
    controller: null,
    ready: new Promise(() => {}),
    register: () =>
      Promise.reject(refusal("service-worker", "SecurityError", "Service workers are not available here.")),
    getRegistration: async () => undefined,
    getRegistrations: async () => [],
    startMessages: () => {},
  };
  for (const [name, value] of Object.entries(own)) define(container, name, value);
  for (const type of ["controllerchange", "message", "messageerror"]) addHandler(container, type);
  define(Navigator.prototype, "serviceWorker", container);
}

/** Queue of lock requests for one name. */
interface Line {
  /** Number of locks that are held or requested. */
  taken: number;
  /** Promises that resolve when all earlier requests have ended, and when all earlier exclusive requests have ended. */
  all: Promise<unknown>;
  exclusive: Promise<unknown>;
}

/** Replaces the Web Locks API. Locks apply within the page or worker, because no other page has its origin. */
function installLocks(): void {
  const lines = new Map<string, Line>();
  const request = async (
    name: string,
    options: LockOptions | LockGrantedCallback<unknown>,
    use = options as LockGrantedCallback<unknown>,
  ) => {
    const { mode = "exclusive", ifAvailable } = options as LockOptions;
    const line = lines.get(name) ?? { taken: 0, all: Promise.resolve(), exclusive: Promise.resolve() };
    lines.set(name, line);
    if (ifAvailable && line.taken) return use(null);
    line.taken++;
    const isShared = mode === "shared";
    const result = (isShared ? line.exclusive : line.all).then(() => use({ name, mode }));
    const release = () => {
      line.taken--;
    };
    line.all = Promise.all([line.all, result.then(release, release)]);
    if (!isShared) line.exclusive = line.all;
    return result;
  };
  if (typeof LockManager !== "undefined") LockManager.prototype.request = request as LockManager["request"];
  else if (!("locks" in navigator)) define(navigator, "locks", { request });
}

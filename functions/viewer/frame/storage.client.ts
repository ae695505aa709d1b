/**
 * In-memory `localStorage` and `sessionStorage` for a page whose sandbox blocks browser storage. The stored items are lost when the page
 * closes.
 */
import { reportRefusal } from "./refusals.client.ts";

/** Maximum total length of all keys and values in characters, as in browsers. */
const charactersMax = 5 * 1024 * 1024;
/** Delay before saved items are reported. Pages that only test if storage works remove their item within this time. */
const reportedAfterMs = 200;

/** Items of a `Storage` object. */
class Items extends Map<string, string> {
  /** Number of characters of all keys and values. */
  characters = 0;
}

const itemsOf = new WeakMap<object, Items>();

/** Reports that the page saves data that will be lost. @param isStored returns true if data is still stored after the delay */
export function reportSaving(isStored: () => boolean): void {
  setTimeout(() => isStored() && reportRefusal("storage"), reportedAfterMs);
}

/** `Storage` methods, with the number of required arguments. */
const methods: Readonly<
  Record<string, readonly [needed: number, (items: Items, ...texts: string[]) => unknown]>
> = {
  getItem: [1, (items, key = "") => items.get(key) ?? null],
  setItem: [2, (items, key = "", value = "") => void change(items, key, value)],
  removeItem: [1, (items, key = "") => void change(items, key)],
  key: [1, (items, index) => [...items.keys()][Number(index) >>> 0] ?? null],
  clear: [
    0,
    (items) => {
      items.clear();
      items.characters = 0;
    },
  ],
};

/** Installs both `Storage` objects, as instances of the browser's own class. */
export function installStorage(): void {
  const { prototype } = Storage;
  for (const [name, [needed, method]] of Object.entries(methods)) {
    const value = function (this: unknown, ...args: unknown[]) {
      const items = itemsFor(this);
      if (args.length < needed)
        throw new TypeError(`${name}: ${needed} argument(s) required, but only ${args.length} present.`);
      return method(items, ...args.slice(0, needed).map(String));
    };
    Object.defineProperty(prototype, name, { value });
  }
  Object.defineProperty(prototype, "length", {
    get() {
      return itemsFor(this).size;
    },
  });
  installEvents();
  for (const name of ["localStorage", "sessionStorage"]) {
    const storage = createStorage();
    Object.defineProperty(window, name, { get: () => storage, configurable: true, enumerable: true });
  }
}

/**
 * Lets a page create storage events for these objects, as libraries do to notify other parts of the page. Browsers
 * accept only their own `Storage` objects in such an event.
 */
function installEvents(): void {
  window.StorageEvent = new Proxy(StorageEvent, {
    construct(target, [type, given, ...more], newTarget) {
      const storageArea: unknown = given?.storageArea;
      if (!itemsOf.has(storageArea as object))
        return Reflect.construct(target, [type, given, ...more], newTarget);
      const event = Reflect.construct(target, [type, { ...given, storageArea: null }], newTarget);
      return Object.defineProperty(event, "storageArea", { value: storageArea });
    },
  });
}

function itemsFor(storage: unknown): Items {
  const items = itemsOf.get(storage as object);
  if (items === undefined) throw new TypeError("Illegal invocation");
  return items;
}

/** Stores an item, or removes the item if the value is undefined. @returns true */
function change(items: Items, key: string, value?: string): true {
  const charactersOf = (one?: string) => (one === undefined ? 0 : key.length + one.length);
  const characters = items.characters - charactersOf(items.get(key)) + charactersOf(value);
  if (value === undefined) items.delete(key);
  else {
    if (characters > charactersMax)
      throw new DOMException(`Setting the value of '${key}' exceeded the quota.`, "QuotaExceededError");
    items.set(key, value);
    reportSaving(() => items.size > 0);
  }
  items.characters = characters;
  return true;
}

/**
 * Creates a `Storage` object whose properties are its items; see "The Storage interface", HTML Standard, and "Legacy
 * platform objects", Web IDL.
 */
function createStorage(): Storage {
  const items = new Items();
  const isItem = (target: object, key: PropertyKey): key is string =>
    typeof key === "string" && items.has(key) && !(key in target);
  const storage = new Proxy(Object.create(Storage.prototype), {
    get: (target, key) => (isItem(target, key) ? items.get(key) : Reflect.get(target, key, storage)),
    set(target, key, value) {
      // As in browsers, a page may replace a method with its own function.
      if (typeof key === "symbol" || key in target) return Reflect.set(target, key, value);
      return change(items, key, String(value));
    },
    has: (target, key) => key in target || isItem(target, key),
    deleteProperty: (target, key) =>
      isItem(target, key) ? change(items, key) : Reflect.deleteProperty(target, key),
    defineProperty(target, key, descriptor) {
      if (typeof key === "symbol") return Reflect.defineProperty(target, key, descriptor);
      if (!("value" in descriptor)) return false;
      return change(items, key, String(descriptor.value));
    },
    ownKeys: (target) => [...[...items.keys()].filter((key) => !(key in target)), ...Reflect.ownKeys(target)],
    getOwnPropertyDescriptor: (target, key) =>
      isItem(target, key)
        ? { value: items.get(key), writable: true, enumerable: true, configurable: true }
        : Reflect.getOwnPropertyDescriptor(target, key),
    preventExtensions: () => false,
  });
  itemsOf.set(storage, items);
  return storage;
}

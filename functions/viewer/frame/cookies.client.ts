/**
 * In-memory `document.cookie` and `cookieStore` for a page whose sandbox blocks cookies. Cookies are parsed as in RFC 6265, section 5.2.
 */
import { reportSaving } from "./storage.client.ts";

interface Cookie {
  readonly value: string;
  /** Infinity for a session cookie, which lasts until the page closes. */
  readonly expiresAtMs: number;
}

const bytesMax = 4096;
const jar = new Map<string, Cookie>();

/** Installs `document.cookie` and `cookieStore` for the page. */
export function installCookies(): void {
  Object.defineProperty(Document.prototype, "cookie", {
    get: () =>
      allCookies()
        .map(({ name, value }) => (name ? `${name}=${value}` : value))
        .join("; "),
    set: (text) => setCookie(String(text)),
    configurable: true,
    enumerable: true,
  });
  Object.defineProperty(Navigator.prototype, "cookieEnabled", { get: () => true, configurable: true });
  const value = Object.assign(new EventTarget(), {
    getAll: async (wanted?: Wanted) =>
      allCookies().filter(({ name }) => wanted === undefined || name === nameOf(wanted)),
    get: async (wanted: Wanted) => allCookies().find(({ name }) => name === nameOf(wanted)) ?? null,
    async set(given: Wanted, text?: string) {
      const { name, value = text, expires } = typeof given === "string" ? { name: given } : given;
      setCookie(`${name}=${value}${expires ? `; expires=${new Date(expires).toUTCString()}` : ""}`);
    },
    delete: async (wanted: Wanted) => setCookie(`${nameOf(wanted)}=; max-age=0`),
  });
  Object.defineProperty(window, "cookieStore", { value, configurable: true });
}

/** Argument of `cookieStore` methods: a name, or an object with the name. */
type Wanted = string | { readonly name: string; readonly value?: string; readonly expires?: number };

function nameOf(wanted: Wanted): string {
  return typeof wanted === "string" ? wanted : wanted.name;
}

function allCookies(): { readonly name: string; readonly value: string }[] {
  for (const [name, { expiresAtMs }] of jar) if (expiresAtMs <= Date.now()) jar.delete(name);
  return [...jar].map(([name, { value }]) => ({ name, value }));
}

/** Sets or removes a cookie. Ignores cookie paths, because there is only one page. */
function setCookie(text: string): void {
  const [pair = "", ...rest] = text.split(";").map((part) => part.trim());
  const attributes = new Map(
    rest.map((part) => {
      const [name = "", value = ""] = split(part, part.length);
      return [name.toLowerCase(), value];
    }),
  );
  const [name, value] = split(pair, 0);
  const domain = attributes.get("domain")?.replace(/^\./, "").toLowerCase();
  const isForeign = domain && domain !== location.hostname;
  if (isForeign || attributes.has("httponly") || pair === "" || pair.length > bytesMax) return;
  const maxAge = attributes.get("max-age") ?? "";
  const endMs = /^-?\d+$/.test(maxAge)
    ? Date.now() + Number(maxAge) * 1000
    : Date.parse(attributes.get("expires") ?? "");
  const expiresAtMs = Number.isNaN(endMs) ? Number.POSITIVE_INFINITY : endMs;
  if (expiresAtMs <= Date.now()) {
    jar.delete(name);
    return;
  }
  jar.set(name, { value, expiresAtMs });
  reportSaving(() => jar.size > 0);
}

/** Splits a pair into name and value. @param nameEnd end of the name if the pair has no equals sign */
function split(pair: string, nameEnd: number): readonly [name: string, value: string] {
  const sign = pair.indexOf("=");
  return sign < 0
    ? [pair.slice(0, nameEnd), pair.slice(nameEnd)]
    : [pair.slice(0, sign).trim(), pair.slice(sign + 1).trim()];
}

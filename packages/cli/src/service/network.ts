import { exitCodes, Problem } from "../problem.ts";

/** Options of a request, as in `fetch`. */
export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly redirect?: "error" | "manual";
  readonly signal: AbortSignal;
}

/** A proxy, and the environment variable that sets it. */
type Proxy = { readonly variable: string; readonly url: URL };

type Fetch = (url: string, options: RequestOptions) => Promise<Response>;

/** Fetch functions by proxy. Each function keeps its connections open. */
const fetchesByProxy = new Map<string, Promise<Fetch>>();

/**
 * Sends a request, through the proxy set in the environment: `HTTPS_PROXY` or `HTTP_PROXY`, otherwise `ALL_PROXY`. Lower-case names have
 * priority. `NO_PROXY` lists hosts that are reached directly.
 *
 * @throws Problem for an unusable proxy, otherwise the errors of `fetch`
 */
export async function sendRequest(url: string, options: RequestOptions): Promise<Response> {
  const proxy = findProxy(url);
  if (proxy === undefined) return fetch(url, options);
  const noProxy = process.env.no_proxy ?? process.env.NO_PROXY ?? "";
  const name = `${proxy.url.href} ${noProxy}`;
  const fetching = fetchesByProxy.get(name) ?? createFetch(proxy, noProxy);
  fetchesByProxy.set(name, fetching);
  return (await fetching)(url, options);
}

/** Returns the proxy for a URL, ignoring `NO_PROXY`. */
function findProxy(url: string): Proxy | undefined {
  const scheme = /^https:/i.test(url) ? "https_proxy" : "http_proxy";
  const names = [scheme, "all_proxy"].flatMap((name) => [name, name.toUpperCase()]);
  const variable = names.find((name) => process.env[name] !== undefined);
  const text = variable === undefined ? "" : (process.env[variable] ?? "").trim();
  if (variable === undefined || text === "") return undefined;
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const given = URL.canParse(address) ? new URL(address) : undefined;
  // `socks5` and `socks5h` are treated alike: the proxy resolves host names.
  const href = given?.href.replace(/^socks5h:/, "socks5:");
  if (href === undefined || !/^(https?|socks5):\/\/./.test(href))
    // The message omits the variable's value, which may contain a password.
    throw new Problem(
      `${variable} is not a usable proxy: use an address such as http://proxy.example.com:3128`,
      exitCodes.usage,
    );
  return { variable, url: new URL(href) };
}

/** Returns a `fetch` function for a proxy. Loads the library only on demand, because the library is large. */
async function createFetch({ url }: Proxy, noProxy: string): Promise<Fetch> {
  const { default: undici } = await import("undici");
  const dispatcher = new undici.EnvHttpProxyAgent({
    httpProxy: url.href,
    httpsProxy: url.href,
    noProxy,
    // Plain http requests use no tunnel, because many proxies allow tunnels only to https ports.
    proxyTunnel: false,
  });
  return (address, options) =>
    undici.fetch(address, { ...options, dispatcher }) as unknown as Promise<Response>;
}

/**
 * Describes why a URL cannot be reached. Shows only the proxy's host, because the proxy's URL may contain a password.
 *
 * @param error error from `sendRequest`
 */
export function describeFailure(url: string, error: unknown): string {
  const { origin } = new URL(url);
  const causes = causesOf(error);
  const [last] = causes.slice(-1);
  const reason =
    causes.find(({ code }) => typeof code === "string")?.code ?? last?.message ?? "the reason is unknown";
  const proxy = findProxy(url);
  if (proxy === undefined)
    return `${origin} cannot be reached (${reason}). Check the address and the network.`;
  const [status] = causes.flatMap(({ message }) => /(?<=^Proxy [^(]*\()\d+(?=\))/.exec(message) ?? []);
  if (status !== undefined) return refusedByProxy(origin, proxy, status);
  return `${origin} cannot be reached (${reason}) through the ${nameOf(proxy)}. Check the address and the proxy, or add the host to NO_PROXY.`;
}

/** Returns the error and its causes. */
function causesOf(error: unknown): readonly NodeJS.ErrnoException[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}

/** Describes the proxy for a URL and the variable that sets it. Returns undefined without a proxy. */
export function describeProxy(url: string): string | undefined {
  const proxy = findProxy(url);
  return proxy && nameOf(proxy);
}

function nameOf({ variable, url: { host } }: Proxy): string {
  return `proxy ${host} of ${variable}`;
}

function refusedByProxy(origin: string, proxy: Proxy, status: string): string {
  const advice =
    status === "407"
      ? `It asks for a user name and a password: use ${proxy.variable}=http://<name>:<password>@${proxy.url.host}`
      : "Ask the proxy's operator to allow the host, or add the host to NO_PROXY.";
  return `The ${nameOf(proxy)} refused the connection to ${origin} (status ${status}). ${advice}`;
}

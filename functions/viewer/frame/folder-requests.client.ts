/**
 * Adapts requests of a page or worker for files of its folder. Because the page has no origin, all of its requests are
 * cross-site. The script omits cookies and removes headers that need a preflight, so that the service allows the
 * requests.
 */
import { given, isOwnFile, resolveAddress } from "./own-folder.client.ts";

/** Headers that need no preflight (Fetch Standard, "CORS-safelisted request-header"). File servers ignore other headers. */
const allowedHeaders = /^(accept|accept-language|content-language)$/i;
const allowedRange = /^bytes=\d+-\d*$/;

/** Adapts `fetch`, `Request` and `XMLHttpRequest`. */
export function installRequests(): void {
  const browsersFetch = fetch;
  const BrowsersRequest = Request;
  globalThis.fetch = function fetch(...args) {
    return browsersFetch(...adapt(args));
  };
  globalThis.Request = new Proxy(BrowsersRequest, {
    construct: (target, args, newTarget) => Reflect.construct(target, adapt(args as never), newTarget),
  });

  const { open, setRequestHeader, send } = XMLHttpRequest.prototype;
  const own = new WeakSet<XMLHttpRequest>();
  const adapted = {
    open(this: XMLHttpRequest, method: string, address: string | URL, ...rest: unknown[]) {
      const url = resolveAddress(address);
      const isOwn = isOwnFile(url);
      if (isOwn) own.add(this);
      else own.delete(this);
      return open.apply(this, [method, (given || isOwn) && url ? url.href : address, ...rest] as never);
    },
    setRequestHeader(this: XMLHttpRequest, name: string, value: string) {
      if (!own.has(this) || isAllowed(String(name), String(value))) setRequestHeader.call(this, name, value);
    },
    send(this: XMLHttpRequest, body?: XMLHttpRequestBodyInit | null) {
      if (own.has(this)) this.withCredentials = false;
      return send.call(this, body);
    },
  };
  Object.assign(XMLHttpRequest.prototype, adapted);
}

type FetchArguments = Parameters<typeof fetch>;

function adapt(args: FetchArguments): FetchArguments {
  const [input, init] = args;
  // If the argument is missing, the browser's own function throws its error.
  if (input === undefined) return args;
  const request = input instanceof Request ? input : undefined;
  const url = resolveAddress(request?.url ?? (input as string | URL));
  if (!isOwnFile(url)) return [request || !given || !url ? input : url.href, init];
  const mode = init?.mode ?? request?.mode;
  const headers = new Headers(init?.headers ?? request?.headers);
  for (const [name, value] of [...headers]) if (!isAllowed(name, value)) headers.delete(name);
  return [
    request ?? url?.href ?? input,
    {
      ...init,
      headers,
      credentials: "same-origin",
      ...(mode && mode !== "navigate" ? { mode: "cors" } : {}),
    },
  ];
}

function isAllowed(name: string, value: string): boolean {
  return allowedHeaders.test(name) || (/^range$/i.test(name) && allowedRange.test(value));
}

import { DomUtils, parseDocument } from "htmlparser2";
import { CookieJar } from "./cookie-jar.ts";
import { baseUrl, fetchPage, type ReceivedResponse, type SendOptions } from "./http.ts";

/** An element of a page, with its attributes in `attribs`. */
type Element = ReturnType<typeof DomUtils.getElementsByTagName>[number];

/** A visited page: the address after all redirects, and its response. */
export interface Visit {
  readonly url: URL;
  readonly response: ReceivedResponse;
}

/** Options that stop at a redirect. */
export interface WayOptions {
  /** A path that a redirect may lead to, but that is not opened. @default - every redirect is followed */
  readonly stopAt?: string;
}

const redirectsMax = 10;

/** A person with a separate browser without scripts: it keeps cookies and follows redirects, links and forms. */
export class Visitor {
  readonly #cookies = new CookieJar();

  /** Opens an address and follows its redirects. With `stopAt`, the visit's address is the last redirect's target. */
  async open(address: string | URL, options: SendOptions & WayOptions = {}): Promise<Visit> {
    let visit = await this.request(address, options);
    for (let redirects = 0; isRedirect(visit.response); redirects += 1) {
      if (redirects === redirectsMax) {
        throw new Error(`More than ${redirectsMax} redirects, at ${visit.url}.`);
      }
      const next = new URL(visit.response.headers.location ?? "", visit.url);
      if (next.pathname === options.stopAt) return { url: next, response: visit.response };
      visit = await this.request(next);
    }
    return visit;
  }

  /** Opens an address without following redirects. */
  async request(address: string | URL, options: SendOptions = {}): Promise<Visit> {
    const url = new URL(address, baseUrl());
    const cookie = this.#cookies.headerFor(url);
    const headers = {
      accept: "text/html,*/*;q=0.8",
      // Sent by every browser that opens a page in a window: Fetch Metadata Request Headers, section 2.1.
      "sec-fetch-dest": "document",
      ...(cookie === undefined ? {} : { cookie }),
      ...options.headers,
    };
    const response = await fetchPage(url, { ...options, headers });
    this.#cookies.store(url, response.setCookies);
    return { url, response };
  }

  /** Returns the Cookie header of a request to an address. */
  cookiesFor(address: string): string {
    return this.#cookies.headerFor(new URL(address)) ?? "";
  }

  /** Stores cookies as if the address had set them. */
  keep(address: string, ...setCookies: readonly string[]): void {
    this.#cookies.store(new URL(address, baseUrl()), setCookies);
  }

  /** Fills in the page's only form other than its search form, and sends it as the form specifies. */
  async submit(from: Visit, fields: Readonly<Record<string, string>>, way: WayOptions = {}): Promise<Visit> {
    const form = onlyElement(from, "form");
    const inputs = DomUtils.getElementsByTagName("input", form, true).map(({ attribs }) => attribs);
    const given = inputs
      .filter(({ type, checked }) => type !== "checkbox" || checked !== undefined)
      .flatMap(({ name, value = "" }) => (name ? [[name, value] as const] : []));
    for (const field of Object.keys(fields)) {
      if (!inputs.some(({ name }) => name === field))
        throw new Error(`The form at ${from.url} has no field ${field}.`);
    }
    const body = new URLSearchParams({ ...Object.fromEntries(given), ...fields }).toString();
    const action = new URL(form.attribs.action ?? "", from.url);
    const method = (form.attribs.method ?? "get").toUpperCase();
    if (method === "GET") return this.open(new URL(`?${body}`, action), way);
    return this.open(action, {
      method,
      body,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      ...way,
    });
  }
}

/** Returns the address of the page's only link with this path. */
export function linkTo(from: Visit, path: string): URL {
  const links = elementsOf(from.response, "a").map(({ attribs }) => new URL(attribs.href ?? "", from.url));
  const found = links.filter((link) => link.pathname === path);
  if (found.length !== 1 || found[0] === undefined) {
    throw new Error(
      `Expected one link to ${path} at ${from.url}, but found ${found.length} among ${links.join(", ")}.`,
    );
  }
  return found[0];
}

/** Returns the name of the only text field that a person has to fill in. */
export function textFieldOf(from: Visit): string {
  const inputs = DomUtils.getElementsByTagName("input", onlyElement(from, "form"), true);
  const names = inputs
    .filter(({ attribs }) => (attribs.type ?? "text") === "text" && attribs.required !== undefined)
    .map(({ attribs }) => attribs.name);
  if (names.length !== 1 || names[0] === undefined)
    throw new Error(`Expected one text field at ${from.url}, not ${names.length}.`);
  return names[0];
}

/** Returns all elements of a page with this tag name. */
export function elementsOf(response: ReceivedResponse, name: string): Element[] {
  return DomUtils.getElementsByTagName(name, parseDocument(response.text), true);
}

/** Returns the text content of an element. */
export function textOf(element: Element): string {
  return DomUtils.textContent(element);
}

function onlyElement(from: Visit, name: string): Element {
  const isInSearch = ({ parent }: Element) => parent !== null && "name" in parent && parent.name === "search";
  const [element, ...others] = elementsOf(from.response, name).filter((one) => !isInSearch(one));
  if (element !== undefined && others.length === 0) return element;
  const came = element === undefined ? "none" : String(others.length + 1);
  throw new Error(`Expected one <${name}> at ${from.url} (${from.response.status}), but there is ${came}.`);
}

function isRedirect({ status }: ReceivedResponse): boolean {
  return status === 302 || status === 303;
}

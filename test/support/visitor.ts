import { DomUtils, parseDocument } from "htmlparser2";
import { CookieJar } from "./cookie-jar.ts";
import { baseUrl, fetchPage, type ReceivedResponse, type SendOptions } from "./http.ts";

/** An element of a page, with its attributes in `attribs`. */
type Element = ReturnType<typeof DomUtils.getElementsByTagName>[number];

/** Where a visitor stands: the address after all redirects, and what it answered. */
export interface Visit {
  readonly url: URL;
  readonly response: ReceivedResponse;
}

/** Where to end the way short of its end. */
export interface WayOptions {
  /** A path that a redirect may lead to, but that is not opened. @default - every redirect is followed */
  readonly stopAt?: string;
}

const redirectsMax = 10;

/** A person with a browser of their own, without scripts: keeps cookies, follows redirects, links and forms. */
export class Visitor {
  readonly #cookies = new CookieJar();

  /** Opens an address and follows its redirects; with `stopAt`, the visit's address is where it was sent last. */
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

  /** Opens an address and stays there, even at a redirect. */
  async request(address: string | URL, options: SendOptions = {}): Promise<Visit> {
    const url = new URL(address, baseUrl());
    const cookie = this.#cookies.headerFor(url);
    const headers = {
      accept: "text/html,*/*;q=0.8",
      // As every browser says of what it opens in a window: Fetch Metadata Request Headers, section 2.1.
      "sec-fetch-dest": "document",
      ...(cookie === undefined ? {} : { cookie }),
      ...options.headers,
    };
    const response = await fetchPage(url, { ...options, headers });
    this.#cookies.store(url, response.setCookies);
    return { url, response };
  }

  /** The cookies that a request to an address brings along, as its header says them. */
  cookiesFor(address: string): string {
    return this.#cookies.headerFor(new URL(address)) ?? "";
  }

  /** Keeps cookies as if the address had set them. */
  keep(address: string, ...setCookies: readonly string[]): void {
    this.#cookies.store(new URL(address, baseUrl()), setCookies);
  }

  /** Fills in the page's only form beside its search and sends it, as the form says. */
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

/** The address of the page's only link whose path is the given one. */
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

/** The name of the only text field that a person has to fill in. */
export function textFieldOf(from: Visit): string {
  const inputs = DomUtils.getElementsByTagName("input", onlyElement(from, "form"), true);
  const names = inputs
    .filter(({ attribs }) => (attribs.type ?? "text") === "text" && attribs.required !== undefined)
    .map(({ attribs }) => attribs.name);
  if (names.length !== 1 || names[0] === undefined)
    throw new Error(`Expected one text field at ${from.url}, not ${names.length}.`);
  return names[0];
}

/** Every element of a name in a page. */
export function elementsOf(response: ReceivedResponse, name: string): Element[] {
  return DomUtils.getElementsByTagName(name, parseDocument(response.text), true);
}

/** What a person reads of an element. */
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

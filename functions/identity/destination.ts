import { type HttpRequest, sentQueryOf } from "../http/request.ts";

/**
 * A path and query of the base host that a sign-in or a gate leads back to, such as `/p/aB3dE5f?v=2`. Only addresses of
 * this service are accepted, so that neither redirects to another site.
 */
export type Destination = string;

const destinationPattern =
  /^\/(?:(?:d\/[A-Za-z0-9]{7}|p\/[A-Za-z0-9]{7}(?!\/(?:access|context|state|unlock|lock)(?:\?|$)))(?:\/(?:[!$-.0->@-[\]-~]+\/)*[!$-.0->@-[\]-~]*)?|files\/[a-z0-9-]{1,63}\/[A-Za-z0-9]{7}|account(?:\/files|\/team|\/tokens|\/trash|\/drops\/[A-Za-z0-9]{7}(?:\/answers)?)?|admin(?:\/audit|\/accounts\/[a-z0-9-]{1,63}|\/drops\/[A-Za-z0-9]{7})?|library|oauth\/authorize)(?:\?[!$-~]*)?$/;

/** A dot segment in a path, in every spelling. It would lead to another page. */
const climbs = /^[^?]*\/(?:\.|%2e){1,2}(?:[/?]|$)/i;

/** The longest address that fits into a cookie in base64url, with its signature. */
const destinationLengthMax = 2_400;

/** Parses an address that a browser sent; undefined unless it is a page of the base host. */
export function parseDestination(text: string): Destination | undefined {
  const isDestination = destinationPattern.test(text) && !climbs.test(text);
  return text.length <= destinationLengthMax && isDestination ? text : undefined;
}

/** Reads the address of one drop; the drop's viewer if the text is another address. */
export function parseDropDestination(text: string, slug: string): Destination {
  const destination = parseDestination(text);
  const isOfDrop = destination !== undefined && /^\/[pd]\/([A-Za-z0-9]{7})/.exec(destination)?.[1] === slug;
  return isOfDrop ? destination : `/p/${slug}`;
}

/** The address of a request, to return to after sign-in; without its query if that is too long for the cookie. */
export function destinationOf(request: HttpRequest): Destination {
  const { path } = request;
  const query = sentQueryOf(request);
  return parseDestination(query === "" ? path : `${path}?${query}`) ?? path;
}

/** The path of the page that signs a reader in and redirects to the destination. */
export function signInPath(destination: Destination): string {
  return `/login/read?to=${encodeURIComponent(destination)}`;
}

/** The path of the page that asks a signed-in person to prove again who they are, and redirects to the destination. */
export function signInAgainPath(destination: Destination): string {
  return `${signInPath(destination)}&account=again`;
}

/** A page of the base host for signed-in people. */
export interface PageDestination {
  readonly page:
    | "account"
    | "answers"
    | "authorize"
    | "drop"
    | "files"
    | "library"
    | "team"
    | "tokens"
    | "trash";
  /** The drop that the page is about. @default - none */
  readonly slug?: string | undefined;
  /** Query of a page about a drop, with its question mark. @default - none */
  readonly query?: string | undefined;
  /** The authorization request that the page is about. @default - none */
  readonly request?: string | undefined;
}

/** The path of a page on the base host. */
export function pagePath({ page, slug, query = "", request }: PageDestination): Destination {
  switch (page) {
    case "account":
      return "/account";
    case "answers":
      return `/account/drops/${slug}/answers${query}`;
    case "authorize":
      return `/oauth/authorize?request=${request}`;
    case "drop":
      return `/account/drops/${slug}${query}`;
    case "files":
      return "/account/files";
    case "library":
      return "/library";
    case "team":
      return "/account/team";
    case "tokens":
      return "/account/tokens";
    case "trash":
      return "/account/trash";
  }
}

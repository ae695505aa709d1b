import { type HttpRequest, sentQueryOf } from "../http/request.ts";

/**
 * Path and query to which a sign-in or a passcode page redirects, such as `/p/aB3dE5f?v=2`. Must be a known path on the base host, so that
 * the redirect cannot lead to another site.
 */
export type Destination = string;

const destinationPattern =
  /^\/(?:(?:d\/[A-Za-z0-9]{7}|p\/[A-Za-z0-9]{7}(?!\/(?:access|context|state|unlock|lock)(?:\?|$)))(?:\/(?:[!$-.0->@-[\]-~]+\/)*[!$-.0->@-[\]-~]*)?|files\/[a-z0-9-]{1,63}\/[A-Za-z0-9]{7}|account(?:\/files|\/team|\/tokens|\/trash|\/drops\/[A-Za-z0-9]{7}(?:\/answers)?)?|admin(?:\/audit|\/accounts\/[a-z0-9-]{1,63}|\/drops\/[A-Za-z0-9]{7})?|library|oauth\/authorize)(?:\?[!$-~]*)?$/;

/** Pattern of a dot segment in a path, encoded or not. A browser would remove the segment and request another page. */
const climbs = /^[^?]*\/(?:\.|%2e){1,2}(?:[/?]|$)/i;

/** Maximum length of a destination in characters. Encoded as base64url and signed, the destination must fit into a cookie. */
const destinationLengthMax = 2_400;

/** Parses a destination from a request. Returns undefined for anything but a page of the base host. */
export function parseDestination(text: string): Destination | undefined {
  const isDestination = destinationPattern.test(text) && !climbs.test(text);
  return text.length <= destinationLengthMax && isDestination ? text : undefined;
}

/** Parses a destination within a drop. For an invalid destination, returns the path of the drop's viewer. */
export function parseDropDestination(text: string, slug: string): Destination {
  const destination = parseDestination(text);
  const isOfDrop = destination !== undefined && /^\/[pd]\/([A-Za-z0-9]{7})/.exec(destination)?.[1] === slug;
  return isOfDrop ? destination : `/p/${slug}`;
}

/** Converts a request's URL to the destination after sign-in. Omits a query that is too long for the cookie. */
export function destinationOf(request: HttpRequest): Destination {
  const { path } = request;
  const query = sentQueryOf(request);
  return parseDestination(query === "" ? path : `${path}?${query}`) ?? path;
}

/** Returns the path of the page that signs a reader in and redirects to the destination. */
export function signInPath(destination: Destination): string {
  return `/login/read?to=${encodeURIComponent(destination)}`;
}

/** Returns the path of the page that makes a signed-in person authenticate again, and redirects to the destination. */
export function signInAgainPath(destination: Destination): string {
  return `${signInPath(destination)}&account=again`;
}

/** Parameters of a page's path. */
interface PathParameters {
  /** Slug of the page's drop. @default - none */
  readonly slug?: string | undefined;
  /** Query of a drop's page, including the question mark. @default - none */
  readonly query?: string | undefined;
  /** Id of the page's authorization request. @default - none */
  readonly request?: string | undefined;
}

const pagePaths = {
  account: () => "/account",
  answers: ({ slug, query = "" }) => `/account/drops/${slug}/answers${query}`,
  authorize: ({ request }) => `/oauth/authorize?request=${request}`,
  drop: ({ slug, query = "" }) => `/account/drops/${slug}${query}`,
  files: () => "/account/files",
  library: () => "/library",
  team: () => "/account/team",
  tokens: () => "/account/tokens",
  trash: () => "/account/trash",
} satisfies Readonly<Record<string, (parameters: PathParameters) => Destination>>;

/** A page on the base host for signed-in people. */
export interface PageDestination extends PathParameters {
  readonly page: keyof typeof pagePaths;
}

/** Returns the path of a page on the base host. */
export function pagePath({ page, ...parameters }: PageDestination): Destination {
  return pagePaths[page](parameters);
}

import SCIMMY from "scimmy";
import { type HttpRequest, parseQuery } from "../http/request.ts";
import { asScim } from "./resources.ts";
import { ScimError } from "./scim-error.ts";

const listSchema = "urn:ietf:params:scim:api:messages:2.0:ListResponse";

/** Default and maximum number of resources on a page. */
const countDefault = 100;
const countMax = 200;

/** Attributes that a client includes or excludes (RFC 7644, section 3.9). */
export interface Selection {
  readonly wanted: readonly string[];
  readonly unwanted: readonly string[];
}

/** Parses the query of a request that lists resources. Positions begin at 1. @throws ScimError `invalidValue` */
function parseList(request: HttpRequest) {
  const query = parseQuery(request.rawQuery);
  const [filter] = query.filter ?? [];
  return {
    filter,
    startIndex: Math.max(1, readInteger(query.startIndex, 1)),
    count: Math.min(countMax, Math.max(0, readInteger(query.count, countDefault))),
    selection: parseSelection(request),
  };
}

/** Functions for listing resources of one type. */
interface Listed<Stored> {
  readonly listIds: () => Promise<readonly string[]>;
  readonly findAll: (ids: readonly string[]) => Promise<readonly Stored[]>;
  /** Finds the resources for a filter on a key. Returns undefined for other filters, which need all resources. */
  readonly findByKey: (filter: string) => Promise<readonly Stored[] | undefined>;
  /** Returns the resource's attributes that filters can use. */
  readonly presentToFilter: (stored: Stored) => object;
  readonly present: (stored: Stored, selection: Selection) => object | Promise<object>;
}

/** Lists resources of one type (RFC 7644, section 3.4.2). */
export async function listResources<Stored>(
  request: HttpRequest,
  { listIds, findAll, findByKey, presentToFilter, present }: Listed<Stored>,
): Promise<object> {
  const { filter, startIndex, count, selection } = parseList(request);
  const pageOf = <Item>(all: readonly Item[]) => all.slice(startIndex - 1, startIndex - 1 + count);
  const presentAll = (found: readonly Stored[]) =>
    Promise.all(found.map((stored) => present(stored, selection)));
  if (filter === undefined) {
    const ids = await listIds();
    const found = await findAll(pageOf(ids));
    return presentList(await presentAll(found), { startIndex, totalResults: ids.length });
  }
  const search = async () => {
    const all = await findAll(await listIds());
    const byResource = new Map(all.map((stored) => [presentToFilter(stored), stored]));
    return applyFilter(filter, [...byResource.keys()]).flatMap((resource) => byResource.get(resource) ?? []);
  };
  const found = (await findByKey(filter)) ?? (await search());
  return presentList(await presentAll(pageOf(found)), { startIndex, totalResults: found.length });
}

/** Parses the query parameters `attributes` and `excludedAttributes`. */
export function parseSelection(request: HttpRequest): Selection {
  const query = parseQuery(request.rawQuery);
  const namesIn = (values: readonly string[] = []) =>
    values
      .flatMap((value) => value.split(","))
      .map((name) => name.trim().toLowerCase().split(".")[0] ?? "")
      .filter((name) => name !== "");
  return { wanted: namesIn(query.attributes), unwanted: namesIn(query.excludedAttributes) };
}

/** Checks whether the response should have an attribute. */
export function isRequestedAttribute(name: string, { wanted, unwanted }: Selection): boolean {
  return (wanted.length === 0 || wanted.includes(name)) && !unwanted.includes(name);
}

/** Removes the attributes that the client did not request, except `id` and `schemas`. */
export function selectAttributes<Resource extends object>(resource: Resource, selection: Selection): object {
  const entries = Object.entries(resource).filter(
    ([name]) => name === "id" || name === "schemas" || isRequestedAttribute(name.toLowerCase(), selection),
  );
  return Object.fromEntries(entries);
}

function readInteger(values: readonly string[] | undefined, absent: number): number {
  const [value] = values ?? [];
  if (value === undefined || value === "") return absent;
  if (/^-?\d{1,9}$/.test(value)) return Number(value);
  throw new ScimError(
    400,
    `startIndex and count must be numbers, not ${JSON.stringify(value)}.`,
    "invalidValue",
  );
}

/** Builds the response with a page of resources (RFC 7644, section 3.4.2). */
export function presentList(
  resources: readonly object[],
  { startIndex, totalResults }: { readonly startIndex: number; readonly totalResults: number },
): object {
  return {
    schemas: [listSchema],
    totalResults,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}

const equality = /^\s*(\w+)\s+eq\s+("(?:[^"\\]|\\.)*")\s*$/i;

/**
 * Finds the resource for a filter that compares a key, such as `userName eq "ada"`. Returns undefined for any other filter.
 *
 * @param lookUps functions that find a resource by an attribute's value, keyed by the attribute's name in lower case
 */
export async function findByEquality<Stored>(
  filter: string,
  lookUps: ReadonlyMap<string, (value: string) => Promise<Stored | undefined>>,
): Promise<readonly Stored[] | undefined> {
  const [, attribute, text] = equality.exec(filter) ?? [];
  if (attribute === undefined || text === undefined) return undefined;
  const value = asScim(() => JSON.parse(text) as string);
  const lookUp = lookUps.get(attribute.toLowerCase());
  if (lookUp === undefined) return undefined;
  const found = await lookUp(value);
  return found === undefined ? [] : [found];
}

const membership = /^\s*id\s+eq\s+"(\w+)"\s+and\s+members(?:\.value)?\s+eq\s+"(\w+)"\s*$/i;

/** Parses `id eq "…" and members eq "…"`, with which Microsoft Entra checks a membership. Returns undefined for any other filter. */
export function parseMembership(filter: string) {
  const [, id, userId] = membership.exec(filter) ?? [];
  return id === undefined || userId === undefined ? undefined : { id, userId };
}

const filterCharactersMax = 2_000;
/** Pattern of a filter in which a comparison lacks a value. */
const halfComparison = /\b(eq|ne|co|sw|ew|gt|ge|lt|le)\s*($|\)|\band\b|\bor\b|\])/i;

/** Applies a filter to resources. Ignores case, as for most attributes in RFC 7643. @throws ScimError `invalidFilter` */
function applyFilter<Resource extends object>(
  filter: string,
  resources: readonly Resource[],
): readonly Resource[] {
  const withoutTexts = filter.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  if (filter.length > filterCharactersMax || halfComparison.test(withoutTexts.replaceAll('""', "x")))
    throw new ScimError(400, "The filter is too long, or a comparison has no value.", "invalidFilter");
  try {
    const folded = filter.replace(/"(?:[^"\\]|\\.)*"/g, (text) => text.toLowerCase());
    const matcher = new SCIMMY.Types.Filter(folded);
    return resources.filter((resource) => matcher.match([withFoldedTexts(resource) as object]).length > 0);
  } catch {
    throw new ScimError(400, "The filter does not follow RFC 7644, section 3.4.2.2.", "invalidFilter");
  }
}

function withFoldedTexts(value: unknown): unknown {
  if (typeof value === "string") return value.toLowerCase();
  if (Array.isArray(value)) return value.map(withFoldedTexts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withFoldedTexts(one)]));
}

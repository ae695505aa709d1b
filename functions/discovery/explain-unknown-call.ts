import type { ApiError } from "../core/errors.ts";
import { publishDropRoute } from "../drops/rows.ts";
import { addressesOf, explainMissing, slugIn } from "../http/address-hints.ts";
import { isTellingWord } from "../http/field-hints.ts";
import { findHintForName, findMeantName, joinHints } from "../http/hints.ts";
import { attempt, fieldNamesOf, fitOf, refuseHeaders } from "../http/input-hints.ts";
import { type HttpRequest, mediaTypeOf, parseQuery, wholeBody } from "../http/request.ts";
import { reviewCall } from "../http/request-input.ts";
import type { Route } from "../http/route.ts";
import { isObject } from "../http/schemas.ts";
import type { Site } from "../http/site.ts";
import { findWrappedFields } from "../http/wrapped-fields.ts";
import { operationIds, routeOf } from "../routes.ts";

const routes: readonly Route[] = operationIds.map(routeOf);
const addresses = addressesOf(routes);
const knownFields = fieldNamesOf(publishDropRoute.body.json);

/** Refuses a call to an unknown address, with the call that it may mean, and what that call would refuse of the same request. */
export async function explainUnknownCall(request: HttpRequest, asked: string, site: Site): Promise<ApiError> {
  const refusal = explainMissing(request.method, asked, addresses, site);
  const calls = (refusal.details.nearest as readonly string[]).toSorted(
    (a, b) => Number(refusal.message.includes(b)) - Number(refusal.message.includes(a)),
  );
  // A call with its query is complete.
  const open = calls.filter((call) => !call.includes("?"));
  const meant = open.flatMap((call) => {
    const named = call.replace(/(?<=^\w+ \/api\/drops\/)\w{7}(?=\/|$)/, "{slug}");
    const route = routes.find(({ method, path }) => named === `${method} ${path}`);
    return route === undefined ? [] : { route, isNamed: refusal.message.includes(call) };
  });
  const isOneNamed = meant.some(({ isNamed }) => isNamed);
  const named = meant.filter(({ isNamed }) => isNamed || !isOneNamed).map(({ route }) => route);
  const review = await reviewMeant(named, request, slugIn(asked), site);
  return isUnlocking(request, asked) ? refusal.withFurther([ofUnlocking]) : refusal.withFurther([review]);
}

/** Recognizes a reader's program that sends the passcode to the page itself. */
function isUnlocking(request: HttpRequest, asked: string): boolean {
  const isOfPage = request.method === "POST" && /^(\/@[^/]+)?\/[dp]\/\w{7}/.test(asked);
  return (
    isOfPage && Object.keys(fieldsIn(request)).some((name) => findMeantName(name, ["passcode"]) !== undefined)
  );
}

const ofUnlocking =
  "Readers enter the passcode on the page: its form sends the field passcode to POST /p/{slug}/unlock. The owner of a drop needs none: GET /api/drops/{slug}/html is the page.";

/** Says what the call that is meant would refuse or ignore of the request. */
async function reviewMeant(
  named: readonly Route[],
  sent: HttpRequest,
  slug: string,
  site: Site,
): Promise<string> {
  const takesBody = (sent.bodyBytes?.byteLength ?? 0) > 0 && named.some(({ body }) => body !== undefined);
  const isSearch = named.some(({ query }) => fieldNamesOf(query).includes("q"));
  const request = takesBody || !isSearch ? sent : withFieldsInQuery(sent);
  const given = [...Object.keys(parseQuery(request.rawQuery)), ...Object.keys(fieldsIn(request))];
  const isFit = ({ body, method }: Route) =>
    takesBody
      ? body !== undefined && !isFormAsFile(request, body)
      : method === request.method || method === "GET";
  const [route] = named
    .filter(isFit)
    .map((one) => ({ one, fit: fitOf(one, given) + (one.method === request.method ? 0.5 : 0) }))
    .toSorted((a, b) => b.fit - a.fit)
    .map(({ one }) => one);
  // Of a call that has none of the names, all that it would say is what else it needs.
  if (route === undefined || (given.length > 0 && !hasAnyOf(route, given))) return "";
  const said =
    takesBody || request.rawQuery !== ""
      ? await reviewCall(route, request, site, { slug })
      : (attempt(() => refuseHeaders(route, request)).fault?.message ?? "");
  return said === "" ? "" : `${route.method} ${route.path} checks what you sent: ${said}`;
}

function hasAnyOf(route: Route, given: readonly string[]): boolean {
  const { query, body, refusedFields = {}, refusedParameters = {} } = route;
  const known = [...fieldNamesOf(query), ...(typeof body === "object" ? fieldNamesOf(body.json) : [])];
  const tables = joinHints(refusedFields, refusedParameters);
  return given.some(
    (name) =>
      known.some((one) => name.startsWith(`${one}.`)) ||
      findMeantName(name, known) !== undefined ||
      findHintForName(tables, name, isTellingWord) !== undefined ||
      route.explainParameter?.(name, "") !== undefined,
  );
}

/** A form of fields is no file, whatever its address says. */
function isFormAsFile(request: HttpRequest, body: Route["body"]): boolean {
  return body === "bytes" && mediaTypeOf(request) === "application/x-www-form-urlencoded";
}

/** The request without its body, whose plain fields are parameters for calls that take no body. */
function withFieldsInQuery(request: HttpRequest): HttpRequest {
  const query = new URLSearchParams(request.rawQuery);
  for (const [name, value] of Object.entries(fieldsIn(request))) {
    if (!isObject(value) && !Array.isArray(value)) query.append(name, String(value));
  }
  return { ...request, ...wholeBody(new Uint8Array()), rawQuery: query.toString() };
}

const fieldsMax = 50;

/** Fields of a JSON body, wherever they are in it. A page, which has none, stands for `html`. */
function fieldsIn(request: HttpRequest): Readonly<Record<string, unknown>> {
  const type = mediaTypeOf(request);
  const text = Buffer.from(request.bodyBytes ?? "").toString();
  if (/^text\/(html|markdown)$/.test(type)) return { html: text };
  if (type === "multipart/form-data")
    return Object.fromEntries(
      [...text.matchAll(/form-data; name="(\w+)"/g)].slice(0, fieldsMax).map(([, name = ""]) => [name, ""]),
    );
  if (type === "application/x-www-form-urlencoded" && !/^\s*[{[]/.test(text))
    return Object.fromEntries([...new URLSearchParams(text)].slice(0, fieldsMax));
  try {
    const value: unknown = JSON.parse(text);
    const fields = findWrappedFields(value, knownFields)?.fields ?? value;
    return isObject(fields) ? Object.fromEntries(Object.entries(fields).slice(0, fieldsMax)) : {};
  } catch {
    return {};
  }
}

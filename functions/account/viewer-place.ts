import * as z from "zod/mini";
import type { Drop } from "../drops/drop.ts";
import { choice, integer, optionalText } from "../http/query.ts";
import { parseQuery } from "../http/request.ts";
import { schema } from "../http/schemas.ts";
import { ownerUrl, type Site } from "../http/site.ts";
import { parseDropDestination } from "../identity/destination.ts";
import { type Done, done, queryString } from "./list-page.ts";

/** Hosts that serve the viewer: the service's own host, or the host in the drop's link. */
const hosts = ["base", "link"] as const;

const pathLengthMax = 1_000;

/** Query of a drop's page: the change that a form made, and the location in the viewer to return to. Invalid values are ignored. */
export const ownDropQuery = /* @__PURE__ */ schema(() =>
  z.object({
    done,
    from: z.catch(z.optional(choice(hosts)), undefined),
    v: z.catch(z.optional(integer({ minimum: 1 })), undefined),
    path: z.catch(optionalText({ what: "path", maxLength: pathLengthMax }), undefined),
  }),
);

/** Location in the viewer: the host, the version in the URL, and the decoded path of a page in a folder. */
export type ViewerPlace = Omit<z.output<typeof ownDropQuery>, "done">;

/** Name of the form field with the location in the viewer to return to. Its value is a query string from `placeQuery`. */
export const placeField = "back";

/** Parses a location in the viewer from a form field. */
export function parsePlace(query: string): ViewerPlace {
  const { done: _, ...place } = z.parse(ownDropQuery, parseQuery(query));
  return place;
}

/** Returns the query of a drop's page: the location in the viewer to return to, and the change that a form made. */
export function placeQuery({ from, v, path }: ViewerPlace, made?: Done): string {
  return queryString({ done: made, ...(from === undefined ? {} : { from, v, path }) });
}

/** Returns the URL of a location in the viewer. Returns undefined if the person did not open the page from a viewer. */
export function placeUrl(site: Site, { namespace, slug }: Drop, { from, v, path }: ViewerPlace) {
  if (from === undefined) return undefined;
  const below = path === undefined ? "" : `/${path.split("/").map(encodeURIComponent).join("/")}`;
  // The viewer for pages in a folder is served only below `/d/`.
  const sent = `/${from === "base" && below === "" ? "p" : "d"}/${slug}${below}${v === undefined ? "" : `?v=${v}`}`;
  const host = from === "base" ? site.baseUrl : ownerUrl(site, namespace).slice(0, -1);
  return host + parseDropDestination(sent, slug);
}

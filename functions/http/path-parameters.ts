import { ApiError } from "../contract/api-error.ts";
import { patterns } from "../contract/patterns.ts";
import type { Route } from "../contract/route.ts";
import type { HttpRequest } from "./request.ts";

/** What a route's path holds in braces, checked. */
export interface PathParameters {
  readonly slug: string;
  readonly id: string;
  readonly version: number;
}

/**
 * The parameters of a route's path, of which there is one spelling: what was found by another, which somebody on the way
 * has decoded or tidied up, is not there.
 *
 * @throws ApiError `invalid_slug` or `invalid_id` for the wrong shape in the API; `not_found` on pages, for a version
 * number that no version can have, and for another spelling.
 */
export function parsePath(
  route: Route,
  { path, pathParameters }: Pick<HttpRequest, "path" | "pathParameters">,
): PathParameters {
  const { slug = "", id = "", n = "" } = pathParameters;
  const inApi = route.errorsAs === "json";
  if (route.path.includes("{slug}") && !patterns.slug.test(slug)) {
    const message = `The slug must be 7 letters or digits, but ${JSON.stringify(slug.slice(0, 100))} came.`;
    throw inApi ? new ApiError("invalid_slug", { message }) : new ApiError("not_found");
  }
  if (route.resource === "blobs" && route.path.includes("{id}") && !patterns.blobId.test(id)) {
    const message = `The id must be 7 letters or digits, but ${JSON.stringify(id.slice(0, 100))} came.`;
    throw inApi ? new ApiError("invalid_id", { message }) : new ApiError("not_found");
  }
  if (route.path.includes("{n}") && !patterns.positiveInteger.test(n)) {
    const message = `Versions are numbered from 1; there is no version ${JSON.stringify(n.slice(0, 100))}.`;
    throw new ApiError("not_found", { message });
  }
  const spellings = [route.path, route.alsoAt?.path].map((one) => one && filled(one, pathParameters));
  if (!spellings.includes(path) && !isEveryPath(route)) {
    throw new ApiError("not_found");
  }
  return { slug, id, version: n === "" ? 0 : Number(n) };
}

function filled(path: string, parameters: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? "");
}

function isEveryPath({ path }: Route): boolean {
  return path.endsWith("+}");
}

import preferredMediaTypes from "negotiator/lib/mediaType.js";
import { edgeHeaders } from "../http/environment.ts";
import { ApiError } from "../http/errors.ts";
import { explainMissing } from "../http/missing-address.ts";
import { type Address, isLikeApi } from "../http/nearest-address.ts";
import { pageOperation } from "../http/page-operation.ts";
import type { HttpRequest } from "../http/request.ts";
import { seeOther } from "../http/response.ts";
import { patterns } from "../http/schemas.ts";
import { isWindow, restrictedFileUrl, type SiteHost } from "../http/site.ts";
import { readDocument } from "./document-response.ts";
import { answerNotFoundRoute } from "./rows.ts";

/**
 * Every address that no other operation has: a page for people; for programs, what there is in its place. A window at a file's
 * address goes on to where readers sign in.
 */
export const answerNotFound = pageOperation(answerNotFoundRoute, async ({ request, site, host }) => {
  const file = missingFile(request, host);
  if (file !== undefined && isWindow(request)) return seeOther(restrictedFileUrl(site, ...file));
  const asked = request.headers[edgeHeaders.asked]?.[0] ?? request.path;
  const nothing = new ApiError("not_found", { message: "There is nothing at this address." });
  if (host.kind !== "base" || (isForPeople(request) && !asked.startsWith("/api"))) throw nothing;
  const addresses = JSON.parse(await readDocument("addresses.json", site)) as readonly Address[];
  if (!isLikeApi(asked, addresses)) throw nothing;
  throw explainMissing(request.method, asked, addresses, site);
});

/**
 * Namespace and id of a file that is not where the edge finds what is open to all: it may be for some readers, who are known on
 * the service's own host alone. Nothing is looked up, so that it says nothing of whether there is such a file.
 */
function missingFile({ path }: HttpRequest, host: SiteHost): [namespace: string, id: string] | undefined {
  // What the edge makes of `/b/<id>`.
  const [, namespace = "", id = "", ...more] = path.split("/");
  const isFile = patterns.blobId.test(id) && more.length === 0;
  return host.kind === "owner" && namespace === host.namespace && isFile ? [namespace, id] : undefined;
}

function isForPeople(request: HttpRequest): boolean {
  const accept = request.headers.accept?.join(", ") ?? "*/*";
  return preferredMediaTypes(accept, ["application/json", "text/html"])[0] === "text/html";
}

import preferredMediaTypes from "negotiator/lib/mediaType.js";
import { readDocument } from "../discovery/document-response.ts";
import { edgeHeaders } from "../platform/environment.ts";
import { ApiError } from "../platform/errors.ts";
import { explainMissing } from "../platform/missing-address.ts";
import { type Address, isLikeApi } from "../platform/nearest-address.ts";
import { pageOperation } from "../platform/page-operation.ts";
import type { HttpRequest } from "../platform/request.ts";
import { answerNotFoundRoute } from "./rows.ts";

/** Every address that no other operation has: a page for people; for programs, what there is in its place. */
export const answerNotFound = pageOperation(answerNotFoundRoute, async ({ request, site, host }) => {
  const asked = request.headers[edgeHeaders.asked]?.[0] ?? request.path;
  const nothing = new ApiError("not_found", { message: "There is nothing at this address." });
  if (host.kind !== "base" || (isForPeople(request) && !asked.startsWith("/api"))) throw nothing;
  const addresses = JSON.parse(await readDocument("addresses.json", site)) as readonly Address[];
  if (!isLikeApi(asked, addresses)) throw nothing;
  throw explainMissing(request.method, asked, addresses, site);
});

function isForPeople(request: HttpRequest): boolean {
  const accept = request.headers.accept?.join(", ") ?? "*/*";
  return preferredMediaTypes(accept, ["application/json", "text/html"])[0] === "text/html";
}

import type { RestApi } from "../api-gateway/rest-api.ts";
import type { OriginHandler } from "./origin-fetch.ts";

/** Answers for the hosts of the template's REST APIs. */
export function apiOrigin(restApis: readonly RestApi[]): OriginHandler {
  const byDomainName = new Map(restApis.map((restApi) => [restApi.domainName, restApi]));
  return (request, origin) => byDomainName.get(origin.domainName)?.handle(request);
}

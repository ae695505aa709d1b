import { type ErrorCode, errorCatalog, wordsFor } from "../core/errors.ts";
import type { DocumentSite } from "../core/written-site.ts";
import type { Route } from "../http/route.ts";
import { mcpTools } from "../mcp/tools.ts";
import { operationIds, routeOf } from "../routes.ts";
import { authoring, describeLimits, errorAdvice, pagePatterns, rules } from "./advice.ts";
import { documentUrls } from "./documents.ts";
import type { OnboardingResponse } from "./onboarding-schema.ts";
import { apiVersion, undescribedOperationIds } from "./openapi/document.ts";
import { mcpUrl, writeMcpConfiguration, writeRecipes } from "./recipes.ts";

/** One-sentence description of the service. */
export const summary =
  "Publish one self-contained HTML page and get a permanent public URL with a version history.";

const howToReadRecipes =
  "Replace each name in braces with the value that an earlier step kept, or with your own; percent-encode it in URLs. `keep`: take these values from the JSON response by JSON Pointer (RFC 6901). `repeat`: wait and call again while the response has one of these values at the pointer. `next`: continue with the first recipe whose pointer `when` finds a value, or the value `equals` if that is given. Every status other than `status` and `also_status` is an error: look up its `error.code` under `errors`.";

/** Writes the JSON of `GET /api/onboard`, the guide for agents. */
export function writeOnboarding(site: DocumentSite): OnboardingResponse {
  return {
    service: "Dropleaf",
    summary,
    api_version: apiVersion,
    base_url: site.baseUrl,
    owner_url: site.ownerUrl("{namespace}"),
    documents: documentUrls(site),
    how_to_read_recipes: howToReadRecipes,
    recipes: writeRecipes(site),
    mcp: {
      url: mcpUrl(site),
      configuration: writeMcpConfiguration(site),
      tools: mcpTools.map(({ name, operation }) => ({ name, operation })),
    },
    authoring: [...authoring],
    patterns: pagePatterns,
    rules: [...rules],
    limits: describeLimits(),
    errors: describeErrors(),
    operations: describeOperations(site),
  };
}

function describeErrors(): OnboardingResponse["errors"] {
  const codes = Object.keys(errorCatalog) as ErrorCode[];
  return codes.map((code) => {
    const { status, message } = errorCatalog[code];
    return { code, status, message: wordsFor("http", message), what_to_do: errorAdvice[code] };
  });
}

/** Lists all operations that are described to agents, with their URLs. */
export function describeOperations(site: DocumentSite): OnboardingResponse["operations"] {
  return operationIds
    .filter((id) => !undescribedOperationIds.includes(id))
    .map(routeOf)
    .map((route) => ({
      id: route.id,
      method: route.method,
      url: addressOf(route, site),
      summary: route.summary,
      needs_token: route.caller === "token",
      counts_as_write: route.countsAsWrite,
    }));
}

/** Returns an operation's URL. If the operation exists on every host, returns the URL on an owner's host. */
function addressOf({ host, path, resource }: Route, site: DocumentSite): string {
  const isOnOwnerHost = host === "owner" || (host === "any" && resource === "pages");
  return `${isOnOwnerHost ? site.ownerUrl("{namespace}") : site.baseUrl}${path}`;
}

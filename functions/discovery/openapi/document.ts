import type { DocumentSite } from "../../core/written-site.ts";
import type { Route } from "../../http/route.ts";
import { type OperationId, operationIds, optionalOperationIds, routeOf } from "../../routes.ts";
import { codelessErrors } from "../advice.ts";
import { componentSchemas } from "./component-schemas.ts";
import { operationExamples } from "./features.ts";
import { type JsonObject, reference } from "./json.ts";
import { baseServer, describeOperation } from "./operation.ts";
import { componentHeaders } from "./response-headers.ts";
import { errorExamples, sharedResponses } from "./responses.ts";

/** Version of the API (specification, section "Versioning"). */
export const apiVersion = "1";

/**
 * Operations that the OpenAPI document omits. OpenAPI cannot express the fallback for all other paths. Programs cannot call pages and forms
 * that need a browser's session (docs/adr/0045-account-pages.md). RFCs and metadata describe the OAuth and SCIM endpoints. The MCP
 * registry's own OpenAPI document describes the list of MCP servers. Optional operations exist only on some stacks.
 */
export const undescribedOperationIds: readonly OperationId[] = /* @__PURE__ */ [
  ...operationIds.filter(
    (id) =>
      id === "show-not-found" ||
      id === "list-mcp-servers" ||
      routeOf(id).caller === "session" ||
      ["feedback-pages", "oauth", "scim"].includes(routeOf(id).resource),
  ),
  ...optionalOperationIds,
];

/**
 * Describes the API as an OpenAPI 3.1 document, generated from operation definitions, schemas and errors.
 *
 * @param version version of the service. Each version may change the description.
 */
export function describeApi(site: DocumentSite, version: string): JsonObject {
  const describedPaths = paths(site);
  return {
    openapi: "3.1.0",
    info: {
      title: "Dropleaf",
      version,
      summary: "Publish a self-contained HTML page and get a permanent address with a version history.",
      description: introduction(site),
    },
    externalDocs: { description: "The guide for agents", url: `${site.baseUrl}/llms.txt` },
    servers: [baseServer(site)],
    security: [{ token: [] }],
    tags: Object.entries(tagDescriptions).map(([name, description]) => ({ name, description })),
    paths: describedPaths,
    components: {
      securitySchemes: {
        token: {
          type: "http",
          scheme: "bearer",
          description:
            "An API token: `hb_` and 36 letters and digits. An agent gets a token with the sign-in calls of the tag auth, and a person at `/login/token`.",
        },
      },
      schemas: componentSchemas(),
      responses: used(sharedResponses(), describedPaths),
      headers: componentHeaders(site, version),
      examples: errorExamples(),
    },
  };
}

/** Keeps only the shared responses that the paths refer to. */
function used(responses: Record<string, JsonObject>, describedPaths: JsonObject): JsonObject {
  const text = JSON.stringify(describedPaths);
  const isUsed = (name: string) => text.includes(JSON.stringify(reference("responses", name).$ref));
  return Object.fromEntries(Object.entries(responses).filter(([name]) => isUsed(name)));
}

const tagDescriptions: Readonly<
  Record<
    Exclude<
      Route["resource"],
      "account-pages" | "administration" | "feedback-pages" | "oauth" | "scim" | "slack"
    >,
    string
  >
> = {
  // Lists publishing first, because most readers of /docs want to publish.
  drops: "Publish, find, change, lock and delete pages.",
  versions: "The versions of a page.",
  renders: "Pictures of a page, and problems that its readers would have.",
  "access-requests": "People's requests for access to the account's pages.",
  answers: "Readers' answers to the forms of the account's pages.",
  feedback: "Readers' comments on the account's pages, and replies to them.",
  library: "Other owners' pages that the caller may read.",
  blobs: "Files for pages.",
  auth: "Sign in once, and get a token.",
  account: "The caller's account, its usage and its limits.",
  tokens: "The tokens of the account.",
  teams: "Accounts that several people share.",
  pages: "Pages for readers.",
  discovery: "Guides and descriptions of the service, for agents and people.",
  mcp: "The operations as tools, for agents that speak the Model Context Protocol.",
};

function introduction({ baseUrl }: DocumentSite): string {
  return [
    `An agent signs in once with a device code, then publishes pages as JSON with a bearer token. New here? Read [the guide](${baseUrl}/llms.txt) first.`,
    `Every error of the service is \`{error: {code, message, details}}\`: decide by \`code\`. With 429 and 503, \`Retry-After\` has the seconds to wait. ${codelessErrors}`,
    "Times are Unix milliseconds. Lengths are counted in Unicode code points, HTML in bytes of UTF-8. Unknown fields and parameters are ignored and named in `warnings`, but refused if they seem to restrict readers, replace the page or filter a list. After a write returns 2xx, every later read shows it.",
  ].join("\n\n");
}

function paths(site: DocumentSite): JsonObject {
  const examples = operationExamples(site);
  const result: Record<string, Record<string, JsonObject>> = {};
  for (const id of operationIds.filter((candidate) => !undescribedOperationIds.includes(candidate))) {
    const route = routeOf(id);
    for (const { path, host, operationId } of addressesOf(route)) {
      const operation = describeOperation(route, examples[id] ?? {}, site, { operationId, host });
      // Writes `{path+}` as `{path}`, because OpenAPI cannot express a path parameter of several segments.
      const described = path.replace("+}", "}");
      result[described] = { ...result[described], [route.method.toLowerCase()]: operation };
    }
  }
  return result;
}

function addressesOf({ id, path, host, alsoAt }: Route) {
  return [
    { path, host, operationId: id },
    ...(alsoAt ? [{ ...alsoAt, operationId: `${id}-at-second-address` }] : []),
  ];
}

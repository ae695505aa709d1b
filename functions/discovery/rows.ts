import * as z from "zod/mini";
import type { ErrorCode } from "../core/errors.ts";
import { choice, freeText } from "../http/query.ts";
import { apiRoute, type Grants, pageRoute, type Route } from "../http/route.ts";
import { schema } from "../http/schemas.ts";
import { onboardingResponse } from "./onboarding-schema.ts";

/** `GET /api/onboard?format=`: without it, Accept decides. */
const onboardingQuery = /* @__PURE__ */ schema(() =>
  z.object({ format: z.optional(choice(["json", "md"])) }),
);

/** Separate from its row, for modules that need only the address. */
export const onboardingPath = "/api/onboard";

/** A document about the service, with the differences of its row. */
interface DocumentRow
  extends Pick<
    Route,
    "id" | "path" | "alsoAt" | "otherMethods" | "addition" | "summary" | "query" | "response"
  > {
  /** @default "base" */
  readonly host?: "any";
  /** @default - none */
  readonly errors?: readonly ErrorCode[];
  /** @default "json" */
  readonly errorsAs?: "page";
  /** @default - none */
  readonly grants?: Pick<Grants, "settings">;
}

/**
 * The row of a document for agents or people. It needs no token and reads no data: its text is written at build time, and one function
 * serves all documents.
 */
function documentRow<const Row extends DocumentRow>({
  host,
  errors = [],
  errorsAs,
  grants = {},
  ...row
}: Row) {
  return apiRoute({
    ...row,
    resource: "discovery",
    method: "GET",
    host: host ?? "base",
    caller: "anyone",
    errors,
    errorsAs: errorsAs ?? "json",
    grants,
    servedBy: "documents",
  });
}

/** GET /openapi.json */
export const readOpenApiRoute = /* @__PURE__ */ documentRow({
  id: "read-open-api",
  path: "/openapi.json",
  addition: '"The machine-readable description carries version `1`"',
  summary: "This interface, as OpenAPI 3.1",
  response: { status: 200, content: "json" },
});

/** GET /docs */
export const showReferenceRoute = /* @__PURE__ */ documentRow({
  id: "show-reference",
  path: "/docs",
  addition: "docs/adr/0061-api-reference-page.md",
  summary: "The reference page: the whole interface, to read",
  response: { status: 200, content: "html" },
  errorsAs: "page",
});

/** GET /.well-known/oauth-protected-resource, also with the MCP server's path appended */
export const readResourceMetadataRoute = /* @__PURE__ */ documentRow({
  id: "read-resource-metadata",
  path: "/.well-known/oauth-protected-resource",
  // RFC 9728, section 3.1: clients try this path first.
  alsoAt: { path: "/.well-known/oauth-protected-resource/mcp", host: "base" },
  addition: "docs/adr/0053-oauth.md",
  summary: "Metadata of the MCP server as a protected resource (RFC 9728)",
  response: { status: 200, content: "json" },
});

/** GET /.well-known/oauth-authorization-server */
export const readIssuerMetadataRoute = /* @__PURE__ */ documentRow({
  id: "read-issuer-metadata",
  path: "/.well-known/oauth-authorization-server",
  addition: "docs/adr/0053-oauth.md",
  summary: "Metadata of the authorization server for MCP clients (RFC 8414)",
  response: { status: 200, content: "json" },
  grants: { settings: ["enterpriseAuthorization", "githubActions"] },
});

/** GET /llms.txt */
export const readLlmsTxtRoute = /* @__PURE__ */ documentRow({
  id: "read-llms-txt",
  path: "/llms.txt",
  addition: "Agents find the interface by its address alone.",
  summary: "The guide for agents, with links to everything else",
  response: { status: 200, content: "text" },
});

/** GET /api/onboard */
export const readOnboardingRoute = /* @__PURE__ */ documentRow({
  id: "read-onboarding",
  path: onboardingPath,
  addition: "Agents find the interface by its address alone.",
  summary: "The guide for agents as data: recipes of calls, limits, and advice for each error",
  query: onboardingQuery,
  response: { status: 200, json: onboardingResponse, alsoAs: "markdown" },
  errors: ["invalid_arg"],
});

/** GET /.well-known/agent-skills/index.json */
export const listAgentSkillsRoute = /* @__PURE__ */ documentRow({
  id: "list-agent-skills",
  path: "/.well-known/agent-skills/index.json",
  addition: "Agents find the interface by its address alone.",
  summary: "The skills that agents may install: Agent Skills Discovery 0.2.0",
  response: { status: 200, content: "json" },
});

/** GET /.well-known/agent-skills/dropleaf/SKILL.md */
export const readAgentSkillRoute = /* @__PURE__ */ documentRow({
  id: "read-agent-skill",
  path: "/.well-known/agent-skills/dropleaf/SKILL.md",
  addition: "Agents find the interface by its address alone.",
  summary: "The guide for agents as a skill",
  response: { status: 200, content: "markdown" },
});

/** GET /.well-known/api-catalog */
export const readApiCatalogRoute = /* @__PURE__ */ documentRow({
  id: "read-api-catalog",
  path: "/.well-known/api-catalog",
  addition: "Agents find the interface by its address alone.",
  summary: "Links to this interface and its descriptions: RFC 9727",
  response: { status: 200, content: "linkset" },
});

/** Filters of the registry's list. The other parameters change nothing in a list of one server. */
const mcpServersQuery = /* @__PURE__ */ schema(() =>
  z.object({ search: z.optional(freeText()), version: z.optional(freeText()) }),
);

/** GET /v0.1/servers, and the server's versions below */
export const listMcpServersRoute = /* @__PURE__ */ documentRow({
  id: "list-mcp-servers",
  path: "/v0.1/{proxy+}",
  // Preflight requests get the list too, whose headers permit the request.
  otherMethods: ["OPTIONS"],
  addition: "docs/adr/0015-mcp-server.md",
  summary: "This service's MCP server, as MCP's registry lists servers",
  query: mcpServersQuery,
  response: { status: 200, content: "json" },
  errors: ["invalid_arg", "not_found"],
});

/** GET /robots.txt */
export const readRobotsTxtRoute = /* @__PURE__ */ documentRow({
  id: "read-robots-txt",
  path: "/robots.txt",
  host: "any",
  addition: "Crawlers read it before they fetch pages.",
  summary: "Rules for crawlers: RFC 9309",
  response: { status: 200, content: "text" },
});

/** GET /.well-known/security.txt */
export const readSecurityTxtRoute = /* @__PURE__ */ documentRow({
  id: "read-security-txt",
  path: "/.well-known/security.txt",
  addition: "It names the contact for vulnerability reports.",
  summary: "Contact for reports of vulnerabilities: RFC 9116. Missing until the operator names one",
  response: { status: 200, content: "text" },
  errors: ["not_found"],
});

/** GET / */
export const showHomePageRoute = /* @__PURE__ */ pageRoute({
  id: "show-home-page",
  resource: "pages",
  method: "GET",
  path: "/",
  addition: "The start page at `{base_url}`.",
  summary: "The start page, for people and agents",
  response: { status: 200, content: "html", alsoAs: "markdown" },
  errors: [],
  grants: {},
});

/** GET /{proxy+} */
export const showNotFoundRoute = /* @__PURE__ */ pageRoute({
  id: "show-not-found",
  resource: "pages",
  method: "GET",
  path: "/{proxy+}",
  host: "any",
  addition: "Unknown addresses get a 404 with suggestions.",
  summary: "Every other address: the styled 404 page, or JSON under /api",
  response: { status: 200, content: "html", alsoStatus: 303 },
  errors: ["not_found", "method_not_allowed"],
  errorsAs: "negotiated",
  grants: {},
});

import * as z from "zod/mini";
import { choice, freeText } from "../http/query.ts";
import { apiRows, pageRows } from "../http/route.ts";
import { schema } from "../http/schemas.ts";
import { onboardingResponse } from "./onboarding-schema.ts";

/** Query of `GET /api/onboard?format=`. Without `format`, the Accept header decides. */
const onboardingQuery = /* @__PURE__ */ schema(() =>
  z.object({ format: z.optional(choice(["json", "md"])) }),
);

/** Path of the guide, for modules that do not import its operation definition. */
export const onboardingPath = "/api/onboard";

/**
 * Makes the operation definition of a document for agents or people. A document requires no token and reads no data, because its text is
 * generated at build time. One function serves all documents.
 */
const documentRow = /* @__PURE__ */ apiRows({
  resource: "discovery",
  addition: "Agents can find the API if they know only the service's address.",
  caller: "anyone",
  servedBy: "documents",
});

export const readOpenApiRoute = /* @__PURE__ */ documentRow("GET /openapi.json", {
  id: "read-open-api",
  addition: '"The machine-readable description carries version `1`"',
  summary: "This API as an OpenAPI 3.1 document",
  response: { status: 200, content: "json" },
});

export const showReferenceRoute = /* @__PURE__ */ documentRow("GET /docs", {
  id: "show-reference",
  addition: "docs/adr/0061-api-reference-page.md",
  summary: "The API reference for people",
  response: { status: 200, content: "html" },
  errorsAs: "page",
});

export const readResourceMetadataRoute = /* @__PURE__ */ documentRow(
  "GET /.well-known/oauth-protected-resource",
  {
    id: "read-resource-metadata",
    // MCP clients try this path first (RFC 9728, section 3.1).
    alsoAt: { path: "/.well-known/oauth-protected-resource/mcp", host: "base" },
    addition: "docs/adr/0053-oauth.md",
    summary: "Metadata of the MCP server as a protected resource (RFC 9728)",
    response: { status: 200, content: "json" },
  },
);

export const readIssuerMetadataRoute = /* @__PURE__ */ documentRow(
  "GET /.well-known/oauth-authorization-server",
  {
    id: "read-issuer-metadata",
    addition: "docs/adr/0053-oauth.md",
    summary: "Metadata of the authorization server for MCP clients (RFC 8414)",
    response: { status: 200, content: "json" },
    grants: { settings: ["enterpriseAuthorization", "githubActions"] },
  },
);

export const readLlmsTxtRoute = /* @__PURE__ */ documentRow("GET /llms.txt", {
  id: "read-llms-txt",
  summary: "The guide for agents, with links to everything else",
  response: { status: 200, content: "text" },
});

export const readOnboardingRoute = /* @__PURE__ */ documentRow(`GET ${onboardingPath}`, {
  id: "read-onboarding",
  summary: "The guide for agents as data: recipes of calls, limits, and advice for each error",
  query: onboardingQuery,
  response: { status: 200, json: onboardingResponse, alsoAs: "markdown" },
});

export const listAgentSkillsRoute = /* @__PURE__ */ documentRow("GET /.well-known/agent-skills/index.json", {
  id: "list-agent-skills",
  summary: "The skills that agents may install (Agent Skills Discovery 0.2.0)",
  response: { status: 200, content: "json" },
});

export const readAgentSkillRoute = /* @__PURE__ */ documentRow(
  "GET /.well-known/agent-skills/dropleaf/SKILL.md",
  {
    id: "read-agent-skill",
    summary: "The guide for agents as a skill",
    response: { status: 200, content: "markdown" },
  },
);

export const readApiCatalogRoute = /* @__PURE__ */ documentRow("GET /.well-known/api-catalog", {
  id: "read-api-catalog",
  summary: "Links to this API and its descriptions (RFC 9727)",
  response: { status: 200, content: "linkset" },
});

/** Query of the registry's list of servers. The registry's other parameters would have no effect on a list of one server. */
const mcpServersQuery = /* @__PURE__ */ schema(() =>
  z.object({ search: z.optional(freeText()), version: z.optional(freeText()) }),
);

/** Operation definition of `GET /v0.1/servers`, and of the paths below it for the server's versions. */
export const listMcpServersRoute = /* @__PURE__ */ documentRow("GET /v0.1/{proxy+}", {
  id: "list-mcp-servers",
  // A preflight request gets the same response, because its headers permit the actual request.
  otherMethods: ["OPTIONS"],
  addition: "docs/adr/0015-mcp-server.md",
  summary: "This service's MCP server, in the format of the MCP registry",
  query: mcpServersQuery,
  response: { status: 200, content: "json" },
});

export const readRobotsTxtRoute = /* @__PURE__ */ documentRow("GET /robots.txt", {
  id: "read-robots-txt",
  host: "any",
  addition: "Crawlers read this file before they fetch pages.",
  summary: "Rules for crawlers (RFC 9309)",
  response: { status: 200, content: "text" },
});

export const readSecurityTxtRoute = /* @__PURE__ */ documentRow("GET /.well-known/security.txt", {
  id: "read-security-txt",
  addition: "The file names the contact for vulnerability reports.",
  summary: "Contact for vulnerability reports (RFC 9116). 404 until the operator sets one",
  response: { status: 200, content: "text" },
  errors: ["not_found"],
});

const pageRow = /* @__PURE__ */ pageRows({ resource: "pages" });

export const showHomePageRoute = /* @__PURE__ */ pageRow("GET /", {
  id: "show-home-page",
  addition: "The start page at `{base_url}`.",
  summary: "The start page, for people and agents",
  response: { status: 200, content: "html", alsoAs: "markdown" },
});

export const showNotFoundRoute = /* @__PURE__ */ pageRow("GET /{proxy+}", {
  id: "show-not-found",
  host: "any",
  addition: "Unknown addresses get a 404 with suggestions.",
  summary: "All other addresses: the 404 page, or JSON under /api",
  response: { status: 200, content: "html", alsoStatus: 303 },
  errors: ["method_not_allowed"],
  errorsAs: "negotiated",
});

import * as z from "zod/mini";
import { choice } from "../http/query.ts";
import type { Route } from "../http/route.ts";
import { schema } from "../http/schemas.ts";
import { onboardingResponse } from "./onboarding-schema.ts";

/** `GET /api/onboard?format=`: without it, Accept decides. */
const onboardingQuery = /* @__PURE__ */ schema(() =>
  z.object({ format: z.optional(choice(["json", "md"])) }),
);

/** Beside its row, for who needs no more than the address. */
export const onboardingPath = "/api/onboard";

// Documents about the service for agents and people. They need no token and read nothing: their texts are written when the
// functions are bundled, and one function serves them all.

/** GET /openapi.json */
export const readOpenApiRoute = {
  id: "read-open-api",
  resource: "discovery",
  method: "GET",
  path: "/openapi.json",
  host: "base",
  addition: '"The machine-readable description carries version `1`"',
  summary: "This interface, as OpenAPI 3.1",
  caller: "anyone",
  countsAsWrite: false,
  response: { status: 200, content: "json" },
  errors: [],
  errorsAs: "json",
  grants: {},
  servedBy: "documents",
} as const satisfies Route;

/** GET /docs */
export const showReferenceRoute = {
  id: "show-reference",
  resource: "discovery",
  method: "GET",
  path: "/docs",
  host: "base",
  addition: "docs/adr/0061-api-reference-page.md",
  summary: "The reference page: the whole interface, to read",
  caller: "anyone",
  countsAsWrite: false,
  response: { status: 200, content: "html" },
  errors: [],
  errorsAs: "page",
  grants: {},
  servedBy: "documents",
} as const satisfies Route;

/** GET /.well-known/oauth-protected-resource, and the same with the path of the MCP server behind it */
export const readResourceMetadataRoute = {
  id: "read-resource-metadata",
  resource: "discovery",
  method: "GET",
  path: "/.well-known/oauth-protected-resource",
  host: "base",
  // RFC 9728, section 3.1: where clients look first.
  alsoAt: { path: "/.well-known/oauth-protected-resource/mcp", host: "base" },
  addition: "docs/adr/0053-oauth-authorization-server.md",
  summary: "Where an MCP client gets a token (RFC 9728)",
  caller: "anyone",
  countsAsWrite: false,
  response: { status: 200, content: "json" },
  errors: [],
  errorsAs: "json",
  grants: {},
  servedBy: "documents",
} as const satisfies Route;

/** GET /.well-known/oauth-authorization-server */
export const readIssuerMetadataRoute = {
  id: "read-issuer-metadata",
  resource: "discovery",
  method: "GET",
  path: "/.well-known/oauth-authorization-server",
  host: "base",
  addition: "docs/adr/0053-oauth-authorization-server.md",
  summary: "How an MCP client gets a token (RFC 8414)",
  caller: "anyone",
  countsAsWrite: false,
  response: { status: 200, content: "json" },
  errors: [],
  errorsAs: "json",
  grants: { settings: ["enterpriseAuthorization", "githubActions"] },
  servedBy: "documents",
} as const satisfies Route;

/** GET /llms.txt */
export const readLlmsTxtRoute = {
  id: "read-llms-txt",
  resource: "discovery",
  method: "GET",
  path: "/llms.txt",
  host: "base",
  addition: "how agents find out",
  summary: "The guide for agents, with links to everything else",
  caller: "anyone",
  countsAsWrite: false,
  response: { status: 200, content: "text" },
  errors: [],
  errorsAs: "json",
  grants: {},
  servedBy: "documents",
} as const satisfies Route;

/** GET /api/onboard */
export const readOnboardingRoute = {
  id: "read-onboarding",
  resource: "discovery",
  method: "GET",
  path: onboardingPath,
  host: "base",
  addition: "how agents find out",
  summary: "The guide for agents as data: recipes of calls, limits and what to do about each error",
  caller: "anyone",
  countsAsWrite: false,
  query: onboardingQuery,
  response: { status: 200, json: onboardingResponse, alsoAs: "markdown" },
  errors: ["invalid_arg"],
  errorsAs: "json",
  grants: {},
  servedBy: "documents",
} as const satisfies Route;

/** GET /.well-known/agent-skills/index.json */
export const listAgentSkillsRoute = {
  id: "list-agent-skills",
  resource: "discovery",
  method: "GET",
  path: "/.well-known/agent-skills/index.json",
  host: "base",
  addition: "how agents find out",
  summary: "The skills that agents may install: Agent Skills Discovery 0.2.0",
  caller: "anyone",
  countsAsWrite: false,
  response: { status: 200, content: "json" },
  errors: [],
  errorsAs: "json",
  grants: {},
  servedBy: "documents",
} as const satisfies Route;

/** GET /.well-known/agent-skills/dropleaf/SKILL.md */
export const readAgentSkillRoute = {
  id: "read-agent-skill",
  resource: "discovery",
  method: "GET",
  path: "/.well-known/agent-skills/dropleaf/SKILL.md",
  host: "base",
  addition: "how agents find out",
  summary: "The guide for agents as a skill",
  caller: "anyone",
  countsAsWrite: false,
  response: { status: 200, content: "markdown" },
  errors: [],
  errorsAs: "json",
  grants: {},
  servedBy: "documents",
} as const satisfies Route;

/** GET /.well-known/api-catalog */
export const readApiCatalogRoute = {
  id: "read-api-catalog",
  resource: "discovery",
  method: "GET",
  path: "/.well-known/api-catalog",
  host: "base",
  addition: "how agents find out",
  summary: "Where this interface and its descriptions are: RFC 9727",
  caller: "anyone",
  countsAsWrite: false,
  response: { status: 200, content: "linkset" },
  errors: [],
  errorsAs: "json",
  grants: {},
  servedBy: "documents",
} as const satisfies Route;

/** GET /robots.txt */
export const readRobotsTxtRoute = {
  id: "read-robots-txt",
  resource: "discovery",
  method: "GET",
  path: "/robots.txt",
  host: "any",
  addition: "how crawlers find out",
  summary: "What crawlers may fetch: RFC 9309",
  caller: "anyone",
  countsAsWrite: false,
  response: { status: 200, content: "text" },
  errors: [],
  errorsAs: "json",
  grants: {},
  servedBy: "documents",
} as const satisfies Route;

/** GET /.well-known/security.txt */
export const readSecurityTxtRoute = {
  id: "read-security-txt",
  resource: "discovery",
  method: "GET",
  path: "/.well-known/security.txt",
  host: "base",
  addition: "how whoever finds a weakness finds out",
  summary: "Whom to tell of a vulnerability: RFC 9116; not there until the operator names a contact",
  caller: "anyone",
  countsAsWrite: false,
  response: { status: 200, content: "text" },
  errors: ["not_found"],
  errorsAs: "json",
  grants: {},
  servedBy: "documents",
} as const satisfies Route;

/** GET / */
export const showHomePageRoute = {
  id: "show-home-page",
  resource: "pages",
  method: "GET",
  path: "/",
  host: "base",
  addition: "what `{base_url}` itself says",
  summary: "What this is, for people and for agents",
  caller: "anyone",
  countsAsWrite: false,
  response: { status: 200, content: "html", alsoAs: "markdown" },
  errors: [],
  errorsAs: "page",
  grants: {},
} as const satisfies Route;

/** GET /{proxy+} */
export const answerNotFoundRoute = {
  id: "answer-not-found",
  resource: "pages",
  method: "GET",
  path: "/{proxy+}",
  host: "any",
  addition: "what answers every other address",
  summary: "Every other address: the styled 404 page, or JSON under /api",
  caller: "anyone",
  countsAsWrite: false,
  response: { status: 200, content: "html", alsoStatus: 303 },
  errors: ["not_found", "method_not_allowed"],
  errorsAs: "negotiated",
  grants: {},
} as const satisfies Route;

import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import { environmentNames, findEnvironment } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import { cachedPage } from "../html/page.ts";
import type { Operation } from "../http/operation.ts";
import { pageOperation } from "../http/page-operation.ts";
import type { HttpResponse } from "../http/response.ts";
import type { Site } from "../http/site.ts";
import { document, documentOperation, readDocument } from "./document-response.ts";
import { prefersMarkdown } from "./documents.ts";
import { readRegistry, serverName } from "./mcp-registry.ts";
import { writeIssuerMetadata, writeResourceMetadata } from "./oauth-metadata.ts";
import type { ReferenceDocument } from "./reference-document.ts";
import { referencePageAssets, renderReferencePage } from "./reference-page.tsx";
import {
  listAgentSkillsRoute,
  listMcpServersRoute,
  onboardingPath,
  readAgentSkillRoute,
  readApiCatalogRoute,
  readIssuerMetadataRoute,
  readLlmsTxtRoute,
  readOnboardingRoute,
  readOpenApiRoute,
  readResourceMetadataRoute,
  readRobotsTxtRoute,
  readSecurityTxtRoute,
  showReferenceRoute,
} from "./rows.ts";
import { writeRobotsTxt, writeSecurityTxt, writeSkillsIndex } from "./text-documents.ts";

/** GET /.well-known/agent-skills/index.json: lists the skill, with the digest of its file. */
const listAgentSkills = documentOperation(listAgentSkillsRoute, async ({ site }) =>
  document("json", JSON.stringify(writeSkillsIndex(await readDocument("SKILL.md", site)))),
);

/** GET /.well-known/agent-skills/dropleaf/SKILL.md: responds with the guide as a skill. */
const readAgentSkill = documentOperation(readAgentSkillRoute, async ({ site }) =>
  document("markdown", await readDocument("SKILL.md", site)),
);

/** GET /.well-known/api-catalog: links to the API and its descriptions. A HEAD response has a Link header (RFC 9727, section 2). */
const readApiCatalog = documentOperation(readApiCatalogRoute, async ({ site }) =>
  document("linkset", await readDocument("api-catalog.json", site), {
    link: `<${readApiCatalogRoute.path}>; rel="api-catalog"`,
  }),
);

/** GET /.well-known/oauth-authorization-server: responds with the metadata from which MCP clients learn how to get a token. */
const readIssuerMetadata = documentOperation(readIssuerMetadataRoute, async ({ site }) =>
  document("json", JSON.stringify(writeIssuerMetadata(site))),
);

/** GET /.well-known/oauth-protected-resource: responds with metadata for MCP clients, which names the authorization server. */
const readResourceMetadata = documentOperation(readResourceMetadataRoute, async ({ site }) =>
  document("json", JSON.stringify(writeResourceMetadata(site))),
);

/** GET /llms.txt: responds with the guide for agents. */
const readLlmsTxt = documentOperation(readLlmsTxtRoute, async ({ site }) =>
  document("text", await readDocument("llms.txt", site)),
);

/** GET /api/onboard: responds with the guide for agents, as JSON or Markdown. */
const readOnboarding = documentOperation(readOnboardingRoute, async ({ query, request, site }) => {
  const format = query.format ?? (prefersMarkdown(request, "application/json") ? "md" : "json");
  const response =
    format === "md"
      ? document("markdown", await readDocument("guide.md", site))
      : document("json", await readDocument("onboarding.json", site));
  return { ...response, headers: { ...response.headers, vary: "Accept" } };
});

/** GET /openapi.json: responds with the OpenAPI document. */
const readOpenApi = documentOperation(readOpenApiRoute, async ({ site }) =>
  document("json", await readDocument("openapi.json", site)),
);

/** CORS headers that GitHub Copilot requires; see "Configure an MCP registry for your organization", GitHub documentation. */
const readableByOrigins = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, OPTIONS",
  "access-control-allow-headers": "Authorization, Content-Type",
};

/** GET /v0.1/servers: responds like an MCP registry that lists only this service, for clients that use a company's own registry. */
const listMcpServers = documentOperation(listMcpServersRoute, async ({ query, request, site }) => {
  const written = JSON.parse(await readDocument("server.json", site));
  const server = { ...written, name: serverName(site.baseUrl) };
  const found = readRegistry(request.path.slice("/v0.1/".length), query, server);
  if (found === undefined)
    throw new ApiError("not_found", { message: "GET /v0.1/servers lists the MCP server." });
  return document("json", JSON.stringify(found), readableByOrigins);
});

/** GET /robots.txt on every host: responds with rules for crawlers. */
const readRobotsTxt = documentOperation(readRobotsTxtRoute, async ({ site }) =>
  document("text", writeRobotsTxt(onboardingPath, site.baseUrl + readLlmsTxtRoute.path)),
);

/** GET /.well-known/security.txt: responds with the operator's security contact, or 404 if no contact is set. */
const readSecurityTxt = documentOperation(readSecurityTxtRoute, async ({ site, nowMs }) => {
  const contact = findEnvironment(environmentNames.securityContact);
  if (contact === undefined) {
    throw new ApiError("not_found", {
      message: "The operator of this service has not named a security contact.",
    });
  }
  return document("text", writeSecurityTxt(contact, site.baseUrl + readSecurityTxtRoute.path, nowMs));
});

/** GET /docs: shows the API reference for people, generated from the document of /openapi.json. */
const showReference = pageOperation(showReferenceRoute, ({ site }) => renderReference(site), {
  isKept: true,
});

/** Responds with the reference page, which each process renders once. */
async function renderReference(site: Site): Promise<HttpResponse> {
  reference ??= readDocument("openapi.json", site).then((written) =>
    renderReferencePage(JSON.parse(written) as ReferenceDocument),
  );
  return cachedPage(await reference, { inline: referencePageAssets, caching: { edgeSeconds: 0, tags: [] } });
}

let reference: Promise<string> | undefined;

const operations: readonly Operation[] = [
  listAgentSkills,
  listMcpServers,
  readAgentSkill,
  readApiCatalog,
  readIssuerMetadata,
  readLlmsTxt,
  readOnboarding,
  readOpenApi,
  readResourceMetadata,
  readRobotsTxt,
  readSecurityTxt,
  showReference,
];

/** Operations by path template, which API Gateway includes in each request. */
const operationsByPath = new Map(
  operations.flatMap((operation) => {
    const { path, alsoAt } = operation.route;
    return [path, ...(alsoAt ? [alsoAt.path] : [])].map((one) => [one, operation] as const);
  }),
);

/** Runs all operations with `servedBy: "documents"` in one function, because all need the same permissions. */
export async function serveDocuments(
  event: APIGatewayProxyEvent,
  context: Context,
): Promise<APIGatewayProxyResult> {
  const operation = operationsByPath.get(event.resource);
  if (operation === undefined) {
    throw new Error(
      `functions/discovery/serve-documents.ts lacks the operation ${event.resource}, whose definition has servedBy: "documents".`,
    );
  }
  return operation(event, context);
}

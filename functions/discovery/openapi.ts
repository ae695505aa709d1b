import type { DescribedParameters } from "../core/openapi.ts";

/** Descriptions of schemas and their fields, keyed by schema name and field path. */
export const fields: Readonly<Record<string, string>> = {
  Onboarding: "The guide for agents as data.",
  "Onboarding.api_version": "The version of the API.",
  "Onboarding.authoring": "Rules for writing pages that work everywhere.",
  "Onboarding.base_url": "The service's own address, without a slash at the end.",
  "Onboarding.documents": "Paths of the other documents, by name.",
  "Onboarding.errors": "Every error code, with advice.",
  "Onboarding.errors.code": "The value of `error.code`.",
  "Onboarding.errors.message": "The default of `error.message`, for errors without a more specific message.",
  "Onboarding.errors.status": "The HTTP status of the code.",
  "Onboarding.errors.what_to_do": "Advice for the agent.",
  "Onboarding.how_to_read_recipes": "Explanation of the steps in recipes.",
  "Onboarding.limits": "Every limit.",
  "Onboarding.limits.meaning": "Meaning of the limit.",
  "Onboarding.limits.name": "The limit's name. It includes the unit.",
  "Onboarding.limits.value": "The limit's value.",
  "Onboarding.mcp": "The same operations as tools of the Model Context Protocol.",
  "Onboarding.mcp.configuration":
    "Configuration of an MCP client. Replace the placeholder in braces with the token.",
  "Onboarding.mcp.tools": "Every tool.",
  "Onboarding.mcp.tools.name": "The tool's name in calls.",
  "Onboarding.mcp.tools.operation": "The operation that the tool carries out.",
  "Onboarding.mcp.url": "URL of the MCP server: streamable HTTP, without sessions.",
  "Onboarding.operations": "Every operation, as in the OpenAPI description.",
  "Onboarding.operations.counts_as_write": "true: a call counts against the token's write limits.",
  "Onboarding.operations.id": "The operationId of the OpenAPI description.",
  "Onboarding.operations.method": "The HTTP method.",
  "Onboarding.operations.needs_token": "true: the header Authorization is required.",
  "Onboarding.operations.summary": "Summary of the operation.",
  "Onboarding.operations.url": "The address, with its parameters in braces.",
  "Onboarding.owner_url": "URL of an owner's pages and files, with the owner's name in braces.",
  "Onboarding.patterns": "Patterns of pages that read well in the viewer.",
  "Onboarding.patterns.name": "The kind of page.",
  "Onboarding.patterns.parts": "Instructions, in the order of the page's parts.",
  "Onboarding.patterns.purpose": "The purpose of the page.",
  "Onboarding.recipes": "Step-by-step recipes, by name.",
  "Onboarding.rules": "Rules for every call.",
  "Onboarding.service": "The service's name.",
  "Onboarding.summary": "Description of the service in one sentence.",
};

/** Descriptions of query parameters, keyed by name, or by operation and name if two operations use the same name differently. */
export const queryParameters: DescribedParameters = {
  format: { description: "Format of the guide. By default, the Accept header decides.", example: "md" },
};

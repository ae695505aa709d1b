import type { DescribedParameters } from "../http/openapi.ts";

/** Descriptions of the schemas and their fields, by the path from the schema's name. */
export const fields: Readonly<Record<string, string>> = {
  Onboarding: "The guide for agents as data.",
  "Onboarding.api_version": "The version of the interface.",
  "Onboarding.authoring": "How to write pages that work wherever they are read.",
  "Onboarding.base_url": "The service's own address, without a slash at the end.",
  "Onboarding.documents": "Where everything else is told, by name.",
  "Onboarding.errors": "Every error code, and what to do about it.",
  "Onboarding.errors.code": "What `error.code` says.",
  "Onboarding.errors.message": "What `error.message` says where it knows nothing more exact.",
  "Onboarding.errors.status": "The HTTP status that the code comes with.",
  "Onboarding.errors.what_to_do": "What to do about it.",
  "Onboarding.how_to_read_recipes": "How the steps of recipes are meant.",
  "Onboarding.limits": "Every limit.",
  "Onboarding.limits.meaning": "What the number limits.",
  "Onboarding.limits.name": "The limit's name, its unit last.",
  "Onboarding.limits.value": "The number.",
  "Onboarding.mcp": "The same operations as tools of the Model Context Protocol.",
  "Onboarding.mcp.configuration":
    "What to put into the configuration of an MCP client, the token in place of the braces.",
  "Onboarding.mcp.tools": "Every tool.",
  "Onboarding.mcp.tools.name": "The name to call it by.",
  "Onboarding.mcp.tools.operation": "The operation that it carries out.",
  "Onboarding.mcp.url": "Where the MCP server is: streamable HTTP, without sessions.",
  "Onboarding.operations": "Every operation, as in the OpenAPI description.",
  "Onboarding.operations.counts_as_write": "Whether a call spends from the token's minute and day.",
  "Onboarding.operations.id": "The operationId of the OpenAPI description.",
  "Onboarding.operations.method": "The HTTP method.",
  "Onboarding.operations.needs_token": "Whether the header Authorization is needed.",
  "Onboarding.operations.summary": "What it does.",
  "Onboarding.operations.url": "The address, with its parameters in braces.",
  "Onboarding.owner_url": "Where an owner's pages and files are, with the owner's name in braces.",
  "Onboarding.patterns": "Patterns of pages that read well in the viewer.",
  "Onboarding.patterns.name": "The kind of page.",
  "Onboarding.patterns.parts": "Instructions for the page, in its order.",
  "Onboarding.patterns.purpose": "The use of such a page.",
  "Onboarding.recipes": "What to do, step by step, by name.",
  "Onboarding.rules": "What holds for every call.",
  "Onboarding.service": "The service's name.",
  "Onboarding.summary": "What it is for.",
};

/** Query parameters, by name, or by operation and name where two operations differ. */
export const queryParameters: DescribedParameters = {
  format: { description: "The form of the guide. Without it, the header Accept decides.", example: "md" },
};

/**
 * Replaces the MCP SDK's default validator of JSON Schema in the bundles. The default brings 130 KB of ajv to validate forms that a server
 * requests from clients, and the only server here (`functions/mcp/server.ts`) requests none.
 */
export class DefaultJsonSchemaValidator {
  constructor() {
    throw new Error(
      "No validator of JSON Schema is in the bundles: lib/bundle/without-schema-validator.ts says why.",
    );
  }
}

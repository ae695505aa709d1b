/**
 * Replaces the MCP SDK's default JSON Schema validator in the bundles. The default adds 130 KB of ajv, to validate forms that a server
 * requests from clients. The only server in the bundles (`functions/mcp/server.ts`) requests no forms.
 */
export class DefaultJsonSchemaValidator {
  constructor() {
    throw new Error("The bundles have no JSON Schema validator; see lib/bundle/without-schema-validator.ts.");
  }
}

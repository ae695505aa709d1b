/**
 * Stands in for the MCP SDK's choice of a validator of JSON Schema in the bundles: it brings 130 KB of ajv to validate what
 * clients fill in for a server, and the only server here (`functions/mcp/server.ts`) asks for nothing, and says so to the SDK.
 */
export class DefaultJsonSchemaValidator {
  constructor() {
    throw new Error(
      "No validator of JSON Schema is in the bundles: lib/bundle/without-schema-validator.ts says why.",
    );
  }
}

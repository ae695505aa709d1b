/**
 * Stands in for `ajv` and `ajv-formats` in the bundles: the MCP SDK imports their 130 KB to validate what clients fill in
 * for a server, and the only server here (`functions/mcp/server.ts`) asks for nothing, and says so to the SDK.
 */
// biome-ignore lint/style/noDefaultExport: both packages have nothing else.
export default function withoutAjv(): never {
  throw new Error("ajv is not in the bundles: lib/without-ajv.ts says why.");
}

import type { Tool } from "@modelcontextprotocol/sdk/types.js";

/** What the server tells of itself: `mcp.json`, which lies beside the function's code. */
export interface McpDocument {
  /** The version of the interface. */
  readonly version: string;
  /** What an agent should know before it calls a tool. */
  readonly instructions: string;
  /** What an agent without a token is to do. */
  readonly signInGuidance: string;
  readonly tools: Tool[];
}

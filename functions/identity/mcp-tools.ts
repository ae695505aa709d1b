import type { ArgumentMeanings, McpTool } from "../core/mcp-tool.ts";

/** Descriptions of the sign-in tools' arguments. */
export const argumentMeanings: ArgumentMeanings = {
  label: "Your name",
  token: "poll_token",
};

/** MCP tools for signing in, in the order of the tool list. */
export const tools = [
  {
    name: "start_sign_in",
    title: "Start sign-in",
    operation: "start-sign-in",
    description: "If asked for a token: show `verification_url` and `code`, then call poll_sign_in.",
    // Omits `scope` from the listed schema, because most agents need the default `all`, and error messages name the scope that a call
    // needs.
    unlistedArguments: ["scope"],
  },
  {
    name: "poll_sign_in",
    title: "Wait for sign-in",
    operation: "poll-sign-in",
    description:
      "Call every `poll_interval` seconds while `pending`. `verified` has `api_token`, once: reconnect this server with it.",
  },
] as const satisfies readonly McpTool[];

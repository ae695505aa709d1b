import type { ArgumentMeanings, McpTool } from "../http/mcp-tool.ts";

/** Meanings of the arguments of these tools; undefined where name, type and choices say it. */
export const argumentMeanings: ArgumentMeanings = {
  label: "What you call yourself.",
  token: "The poll_token.",
};

/** Tools of this feature, in the order that agents see. */
export const tools = [
  {
    name: "start_sign_in",
    operation: "start-sign-in",
    description:
      "Only where the human asks you for a token: show them `verification_url` and `code`, then call poll_sign_in.",
  },
  {
    name: "poll_sign_in",
    operation: "poll-sign-in",
    description:
      "Call every `poll_interval` seconds while `pending`. The first `verified` holds `api_token`, never shown again: put it only into this server's configuration, as the header `Authorization: Bearer <api_token>`, and reconnect.",
  },
] as const satisfies readonly McpTool[];

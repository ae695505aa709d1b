import { mcpMessageAnswer, mcpMessageBody } from "./mcp-messages.ts";
import { mcpTools } from "./mcp-tools.ts";
import type { Route } from "./route.ts";

// An addition to the specification: the operations that agents need as tools of the Model Context Protocol.

/** POST /mcp */
export const callMcpRoute = {
  id: "call-mcp",
  resource: "mcp",
  method: "POST",
  // Without a stream or a session there is nothing to listen to or to end, and clients expect to hear it so.
  refusedMethods: ["GET", "DELETE"],
  path: "/mcp",
  host: "base",
  summary: "The operations as tools of the Model Context Protocol, by streamable HTTP without sessions",
  caller: "anyone",
  countsAsWrite: false,
  body: { json: mcpMessageBody, required: true },
  answer: { status: 200, json: mcpMessageAnswer },
  errors: ["unauthorized", "forbidden", "invalid_json", "invalid_arg"],
  errorsAs: "json",
  // The largest code, and whatever a tool does.
  memoryMegabytes: 1_024,
  grants: {},
  performs: /* @__PURE__ */ mcpTools.map(({ operation }) => operation),
} as const satisfies Route;

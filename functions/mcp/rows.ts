import * as z from "zod/mini";
import { findSimilarName } from "../core/names.ts";
import { choice } from "../http/query.ts";
import { apiRow } from "../http/route.ts";
import { accepts, describe, isObject, problem, quote, schema, shownCharactersMax } from "../http/schemas.ts";

import { mcpTools } from "./tools.ts";

/** Maximum size of a message in bytes, which the edge enforces. In base64, a message takes 4.2 MB of the 6 MB of a Lambda event. */
export const mcpBodyBytesMax = 3_145_728;

/** A JSON-RPC 2.0 request or notification. The MCP server validates its parameters. */
export type McpMessage = Readonly<Record<string, unknown>> & {
  readonly jsonrpc: "2.0";
  readonly method: string;
};

/** Methods that this server supports. */
export const knownMethods = [
  ...["initialize", "ping", "tools/list", "tools/call", "resources/list", "resources/read"],
  ...["resources/templates/list", "skills/list", "skills/get"],
];

/** Finds the method that a caller means by a misspelled name, or by a name whose words are in another order. */
export function findMethod(method: string): string | undefined {
  const meant = findSimilarName(sortedWords(method), knownMethods.map(sortedWords));
  return knownMethods.find((one) => sortedWords(one) === meant);
}

/** Sorts a method's words alphabetically, so that `listTools` and `tools/list` compare as equal. */
function sortedWords(method: string): string {
  const words = method.slice(0, shownCharactersMax).split(/[^A-Za-z]+|(?=[A-Z])/);
  return words
    .map((word) => word.toLowerCase())
    .toSorted()
    .join("");
}

/** Body of `POST /mcp`: one message (Model Context Protocol, revision 2026-07-28, "Streamable HTTP"). */
const mcpMessageBody = /* @__PURE__ */ schema(() =>
  accepts(
    z.pipe(
      z.unknown(),
      z.transform((value, context) => {
        if (isMessage(value)) return value;
        const isBatch = Array.isArray(value);
        const actual = isBatch ? "an array: send each message in its own request" : describeProblem(value);
        const params = hasPositions(value) ? " params must be an object with names, not an array." : "";
        const sample = exampleFor(value);
        const message = `The request body must be one JSON-RPC 2.0 request or notification, ${sample}. You sent ${actual}.${params}`;
        context.issues.push({ code: "custom", input: value, ...problem("invalid_arg", message, {}) });
        return z.NEVER;
      }),
    ),
    {
      type: "object",
      required: ["jsonrpc", "method"],
      properties: {
        jsonrpc: { const: "2.0" },
        id: { type: ["string", "integer"] },
        method: { type: "string" },
        params: { type: "object" },
      },
    },
  ),
);

/** Query of `POST /mcp?tools=core`, which selects the short list of tools. Clients keep this query in the URL of all messages. */
const mcpQuery = /* @__PURE__ */ schema(() => z.object({ tools: z.optional(choice(["core"])) }));

/** Response of `POST /mcp`. */
const mcpMessageResponse = /* @__PURE__ */ schema(() =>
  z.object({
    jsonrpc: z.literal("2.0"),
    id: z.union([z.string(), z.int()]),
    result: z.optional(z.record(z.string(), z.unknown())),
    error: z.optional(z.object({ code: z.int(), message: z.string(), data: z.optional(z.unknown()) })),
  }),
);

function isMessage(value: unknown): value is McpMessage {
  return (
    isObject(value) && value.jsonrpc === "2.0" && typeof value.method === "string" && !hasPositions(value)
  );
}

/** Recognizes positional parameters. JSON-RPC allows them, but the Model Context Protocol does not. */
function hasPositions(value: unknown): boolean {
  return isObject(value) && Array.isArray(value.params);
}

/** Builds an example message, with the method that the caller means. */
function exampleFor(value: unknown): string {
  const method = isObject(value) ? findMethod(String(value.method)) : undefined;
  const params = `"params": {"name": …, "arguments": {…}}`;
  const rest = method === undefined || method === "tools/call" ? `"tools/call", ${params}` : quote(method);
  return `{"jsonrpc": "2.0", "id": 1, "method": ${rest}}`;
}

function describeProblem(value: unknown): string {
  if (!isObject(value) || !("jsonrpc" in value)) return `${describe(value)} without jsonrpc`;
  if (value.jsonrpc !== "2.0") return `${describe(value.jsonrpc)} other than "2.0" as jsonrpc`;
  if (hasPositions(value)) return "params as an array";
  // A message without a method is a client's response. It is refused, because this server sends no requests.
  return "no method, or a method that is not a string: this server sends no requests, so it expects no responses";
}

// Makes the operations that agents need available as MCP tools. The specification does not define this route.

export const callMcpRoute = /* @__PURE__ */ apiRow("POST /mcp", {
  id: "call-mcp",
  resource: "mcp",
  // The server has no streams and no sessions. Clients expect 405 if they try to open a stream or end a session.
  otherMethods: ["GET", "DELETE"],
  addition: "docs/adr/0015-mcp-server.md",
  summary: "The operations as tools of the Model Context Protocol, by streamable HTTP without sessions",
  caller: "anyone",
  query: mcpQuery,
  body: { json: mcpMessageBody, required: true },
  response: { status: 200, json: mcpMessageResponse },
  errors: ["unauthorized", "forbidden", "insufficient_scope", "method_not_allowed"],
  // The tool runs in its operation's function, with that function's role; see docs/adr/0015-mcp-server.md.
  grants: { operations: /* @__PURE__ */ mcpTools.map(({ operation }) => operation) },
});

/** Path of the MCP server's protected resource metadata (RFC 9728, section 3.1). */
const metadataPath = "/.well-known/oauth-protected-resource/mcp";

/** Problem with the token of a call (RFC 6750, section 3.1). */
interface TokenProblem {
  readonly error: "insufficient_scope" | "invalid_token";
  readonly description: string;
  /** Scope that the client should request for this call. @default - any scope is enough */
  readonly scope: string | undefined;
}

/** Builds the challenge that tells an MCP client where to get a token (RFC 6750, section 3; RFC 9728, section 5.1). */
export function mcpChallenge({ baseUrl }: { readonly baseUrl: string }, problem?: TokenProblem): string {
  const metadata = `resource_metadata="${baseUrl}${metadataPath}"`;
  if (problem === undefined) return `Bearer ${metadata}`;
  // Replaces characters that RFC 6750, section 3, does not allow.
  const description = problem.description.replace(/["\\]/g, "'").replace(/[^ -~]/g, "?");
  const scope = problem.scope === undefined ? "" : `scope="${problem.scope}", `;
  return `Bearer error="${problem.error}", ${scope}error_description="${description}", ${metadata}`;
}

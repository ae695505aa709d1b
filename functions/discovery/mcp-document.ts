import type { $ZodType } from "zod/v4/core";
import { mcpBodyBytesMax } from "../mcp/rows.ts";
import { type McpTool, mcpTools } from "../mcp/tools.ts";
import { errorCatalog } from "../platform/errors.ts";
import { limits } from "../platform/limits.ts";
import type { Route } from "../platform/route.ts";
import { type JsonSchema, patterns } from "../platform/schemas.ts";
import { routeOf } from "../routes.ts";
import { authoring, list } from "./advice.ts";
import { summary } from "./onboarding.ts";
import { componentSchemas, schemaReference } from "./openapi/component-schemas.ts";
import { apiVersion } from "./openapi/document.ts";
import { parametersOf } from "./openapi/parameters.ts";
import { writeMcpConfiguration } from "./recipes.ts";
import type { DocumentSite } from "./site.ts";

const rules: readonly string[] = [
  "Look up before you publish: call list_drops with metadata of your own, such as `project`. Where a drop matches, call update_drop, so that its address stays; otherwise publish_drop with that metadata. upsert_drop does both in one call.",
  "Hand out `url`, and nothing else.",
  "A refusal is `{error: {code, message, details}}`: decide by `code`. The message tells what to mend.",
  `A token has ${limits.writesPerMinutePerToken} writes a minute and ${limits.writesPerDayPerToken} a day; reads are free, and so is a call that was invalid.`,
  "A call that got no response may have been carried out. Look before you repeat it.",
];

/** `mcp.json`: what the MCP server tells of itself, `McpDocument` of `functions/mcp`. */
export function writeMcpDocument(site: DocumentSite): object {
  const signInGuidance = writeSignInGuidance(site);
  return {
    version: apiVersion,
    instructions: writeInstructions(signInGuidance),
    signInGuidance,
    tools: mcpTools.map(describeTool),
  };
}

/** What an agent does whose MCP client sends no token. */
function writeSignInGuidance(site: DocumentSite): string {
  return `This MCP client sends no API token. Call start_sign_in, show the human \`verification_url\` and \`code\`, and call poll_sign_in until it answers \`verified\`. Then put \`api_token\` into the configuration of this MCP server, or ask the human to, and reconnect: ${JSON.stringify(writeMcpConfiguration(site))}. ${errorCatalog.unauthorized.message}`;
}

function writeInstructions(signInGuidance: string): string {
  return `${summary}

Rules:
${list(rules)}

How to write the page:
${list(authoring)}

Where a tool answers \`unauthorized\`: ${signInGuidance}`;
}

type Properties = Readonly<Record<string, JsonSchema>>;

/** An object's schema, in so far as it is taken apart here. */
interface ObjectSchema {
  readonly properties: Properties;
  readonly required: readonly string[];
}

/** Base64 makes four characters of three bytes, and a message has some other words. */
const fileBytesMax = Math.floor(((mcpBodyBytesMax - 4_096) / 4) * 3);

/** A tool as `tools/list` shows it: its row's parameters, body and answer in the words of JSON Schema. */
function describeTool(tool: (typeof mcpTools)[number]): object {
  const { name, title, note, isReadOnly, isDestructive, isIdempotent }: McpTool = tool;
  const route = routeOf(tool.operation);
  return {
    name,
    title,
    description: [`${route.summary}.`, note, sizeNote(route)].filter(Boolean).join(" "),
    inputSchema: inputOf(route),
    ...("json" in route.response ? { outputSchema: outputOf(route, route.response.json) } : {}),
    annotations: {
      title,
      readOnlyHint: isReadOnly ?? false,
      destructiveHint: isDestructive ?? false,
      idempotentHint: isIdempotent ?? false,
      openWorldHint: false,
    },
  };
}

/** What a message cannot hold, and where to go with it. */
function sizeNote({ method, path, body, errors }: Route): string | undefined {
  if (body === "bytes") {
    return `For files of at most ${fileBytesMax} bytes; for larger ones, of up to ${limits.blobBytesMax} bytes, call start_upload.`;
  }
  if (!errors.includes("html_too_large")) return undefined;
  return `A message to this server has at most ${mcpBodyBytesMax} bytes; send a larger one as ${method} ${path}.`;
}

function inputOf(route: Route): JsonSchema {
  // Headers are the client's matter, and a tool has none.
  const parameters = parametersOf(route)
    .filter((parameter) => parameter.in !== "header")
    .map(toArgument);
  const asked = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
  const body = bodyOf(route);
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  return {
    type: "object",
    // What is in the query and in the body is one argument, which means what it means in the query.
    properties: { ...asked, ...body.properties, ...asked },
    required: [...required, ...body.required],
  };
}

/** A parameter of path or query as an argument. */
function toArgument(parameter: Readonly<Record<string, unknown>>) {
  const { name, required, description, schema } = parameter as unknown as {
    readonly name: string;
    readonly required: boolean;
    readonly description: string;
    readonly schema: JsonSchema;
  };
  if (name === "metadata") return { name, required, schema: filters };
  return { name, required, schema: { description, ...schema } };
}

/** In a query, each tag is a parameter of its own. */
const filters: JsonSchema = {
  description: "Tags that a drop must have, all of them, with these values.",
  type: "object",
  propertyNames: { pattern: patterns.metadataKey.source },
  additionalProperties: { type: "string" },
};

function bodyOf({ body }: Route): ObjectSchema {
  if (body === "bytes") return file;
  if (typeof body !== "object") return { properties: {}, required: [] };
  const { properties, required } = objectSchema(body.json);
  // What is named only to be refused is no argument.
  const taken = Object.entries(properties).filter(([, property]) => !("not" in property));
  return { properties: Object.fromEntries(taken), required };
}

const file: ObjectSchema = {
  properties: {
    text: { description: "The content of a text file.", type: "string" },
    base64: {
      description: "The content of any other file, in base64 without line ends.",
      type: "string",
      contentEncoding: "base64",
    },
    content_type: {
      description: "The file's media type; `application/octet-stream` where nothing is said.",
      type: "string",
    },
  },
  required: [],
};

/** A tool's response is data of one schema, be it good or a refusal. */
function outputOf({ errors }: Route, response: $ZodType): JsonSchema {
  const { properties, required } = objectSchema(response);
  const refusal = named("Error");
  return {
    type: "object",
    properties: { ...properties, error: withCodes(refusal.properties.error, errors) },
    anyOf: [{ required }, { required: refusal.required }],
  };
}

/** The error's schema with the codes that the row names, and those that any function may answer. */
function withCodes(error: JsonSchema | undefined, errors: Route["errors"]): JsonSchema {
  const properties = error?.properties as Properties;
  const code = { ...properties.code, enum: [...new Set([...errors, "internal_error", "unavailable"])] };
  return { ...error, properties: { ...properties, code } };
}

function objectSchema(schema: $ZodType): ObjectSchema {
  return named(String(schemaReference(schema).$ref).replace(/^.*\//, ""));
}

let known: Readonly<Record<string, JsonSchema>> | undefined;

/** A schema of the OpenAPI document, with what it refers to in its place. */
function named(name: string): ObjectSchema {
  known ??= componentSchemas();
  const { properties = {}, required = [] } = withoutReferences(known[name]) as Partial<ObjectSchema>;
  return { properties, required };
}

function withoutReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutReferences);
  if (typeof value !== "object" || value === null) return value;
  const { $ref, ...rest } = value as { $ref?: string };
  const referred = $ref === undefined ? {} : known?.[$ref.replace(/^.*\//, "")];
  const inner = Object.entries({ ...referred, ...rest });
  return Object.fromEntries(inner.map(([key, part]) => [key, withoutReferences(part)]));
}

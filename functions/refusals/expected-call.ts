import { type ApiError, errorCatalog, inBothWords, type Message } from "../core/errors.ts";
import type { McpTool } from "../core/mcp-tool.ts";
import { metadataPrefix } from "../http/query.ts";
import type { HttpRequest } from "../http/request.ts";
import type { Route } from "../http/route.ts";
import {
  describeField,
  type ExpectedField,
  fieldNamesOf,
  fieldsOf,
  type NamedField,
  patterns,
} from "../http/schemas.ts";
import { guideUrl, readSite } from "../http/site.ts";
import { isReviewed } from "../http/warnings.ts";

/** Description of the call that the service expects instead of an invalid one, for `details.expected` of an error. */
export interface ExpectedCall {
  /** The operation's id, or the tool's name. */
  readonly operation: string;
  readonly fields: Readonly<Record<string, ExpectedField>>;
  /** A valid call that can be sent unchanged. */
  readonly example: object;
}

/** Descriptions of path parameters. Tools also accept a drop's URL as the slug. */
const inPath: Readonly<Record<string, ExpectedField>> = {
  slug: { type: "string", bound: "7 letters or digits", required: true },
  id: { type: "string", bound: "letters and digits", required: true },
  publication: { type: "string", required: true },
  namespace: { type: "string", bound: "lower-case letters, digits and hyphens", required: true },
  reader: {
    type: "string",
    bound: "an address, @domain, user name or group:<group>, percent-encoded",
    required: true,
  },
  n: { type: "integer", bound: "at least 1", required: true },
  thread: { type: "integer", bound: "at least 1", required: true },
  number: { type: "integer", bound: "at least 1", required: true },
};

/** Example values by field name. For other fields, the field's name is the example value. */
const samples: Readonly<Record<string, unknown>> = {
  expires_in_days: 30,
  filename: "notes.txt",
  files: { "index.html": { sha256: "0".repeat(64), bytes: 44 } },
  html: "<!doctype html><h1>Hi</h1>",
  group_by: "project",
  id: "aB3dE5f",
  metadata: { project: "q3" },
  n: 1,
  number: 1,
  passcode: "open sesame",
  publication: "aB3dE5f",
  namespace: "growth",
  reader: "ada@example.com",
  q: "quarterly numbers",
  role: "editor",
  size_bytes: 5,
  slug: "aB3dE5f",
  state: "resolved",
  text: "Thank you.",
  to: "growth",
  thread: 1,
  title: "A page",
  token: "<poll_token>",
  version: 1,
};

/** Maximum size of a call's description as JSON, in bytes. */
export const expectedBytesMax = 1_200;

/** Maximum length of an error message, in characters. */
export const messageCharactersMax = 700;

/** Lists the names of the parameters in an operation's path. */
export function namesInPath({ path }: Pick<Route, "path">): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

/** Finds the response field with the next value of a query parameter, such as `next_cursor` for `cursor`. */
function originOf({ response }: Pick<Route, "response">, name: string): string | undefined {
  const next = `next_${name}`;
  return "json" in response && fieldNamesOf(response.json).includes(next) ? next : undefined;
}

/**
 * Describes the query parameters of an operation. For a parameter whose value comes from the previous response, names the response field.
 */
function describeQuery(route: Route, fields: readonly NamedField[]): Record<string, ExpectedField> {
  return Object.fromEntries(
    Object.entries(describeAll(fields)).map(([name, field]) => {
      const origin = originOf(route, name);
      const bound = `${origin} from the last response${field.type === "integer" ? ", not a time" : ""}`;
      return [name, origin === undefined ? field : { ...field, bound }];
    }),
  );
}

/** Describes a valid call of an operation. The example contains the valid path parameters of the request. */
export function expectedCall(route: Route, request?: Pick<HttpRequest, "pathParameters">): ExpectedCall {
  const { id, method, path, body } = route;
  const { ofPath, ofQuery, ofBody } = partsOf(route);
  const given = request?.pathParameters ?? {};
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = given[name] ?? "";
    return isValidInPath(name, value) ? value : String(samples[name]);
  });
  const parameters = Object.entries(exampleOf(ofQuery)).map(([name, value]) =>
    name === "metadata" ? [`${metadataPrefix}project`, "q3"] : [name, String(value)],
  );
  const query = parameters.length === 0 ? "" : `?${new URLSearchParams(parameters)}`;
  return {
    operation: id,
    fields: {
      ...ofPath,
      ...Object.fromEntries(
        Object.entries(describeQuery(route, ofQuery)).map(([name, field]) =>
          name === "metadata" ? [`${metadataPrefix}<key>`, { ...field, type: "string" }] : [name, field],
        ),
      ),
      // Omits fields that are also query parameters, such as metadata.
      ...describeAll(ofBody.filter(({ name }) => !ofQuery.some((one) => one.name === name))),
      ...(body === "bytes" ? { body: { type: "bytes", required: true } } : {}),
    },
    example: {
      method,
      path: filled + query,
      ...(body === "bytes" ? { headers: { "content-type": "text/plain" }, body: "Hello" } : {}),
      ...(typeof body === "object" ? { body: exampleOfBody(ofBody) } : {}),
    },
  };
}

/**
 * Describes a valid call of a tool, with the tool's names for the parameters. The example contains the valid path arguments of the call.
 */
export function expectedToolCall(
  { name: operation, names = {}, optional = [], query, takesFiles, app }: McpTool,
  row: Route,
  given: Readonly<Record<string, unknown>> = {},
): ExpectedCall {
  const route = query === undefined ? row : { ...row, query };
  const { ofPath, ofQuery, ofBody } = partsOf(route);
  const toName = (parameter: string) => names[parameter] ?? parameter;
  const isTaken = (name: string) => typeof app !== "object" || app.arguments.includes(name);
  const fieldsFrom = (own: readonly NamedField[]) =>
    own
      .filter(({ name }) => isTaken(name))
      .map((one) => (optional.includes(one.name) ? { ...one, isRequired: false } : one));
  const described = {
    ...ofPath,
    ...(ofPath.slug && { slug: { ...ofPath.slug, bound: `${ofPath.slug.bound}, or the drop's url` } }),
    ...describeAll(fieldsFrom(ofBody)),
    ...describeQuery(route, fieldsFrom(ofQuery)),
    ...(takesFiles && { files: { type: "object", bound: "texts by path" } as const }),
    ...(route.body === "bytes" ? ofFile : {}),
  };
  const example = {
    ...Object.fromEntries(Object.keys(ofPath).map((one) => [one, givenOr(one, given[toName(one)])])),
    ...exampleOf(ofQuery),
    ...(route.body === "bytes"
      ? { text: "Hello" }
      : exampleOfBody(ofBody.filter(({ name }) => isTaken(name)))),
  };
  return {
    operation,
    fields: Object.fromEntries(Object.entries(described).map(([one, field]) => [toName(one), field])),
    example: {
      name: operation,
      arguments: Object.fromEntries(Object.entries(example).map(([one, value]) => [toName(one), value])),
    },
  };
}

/** Recognizes a valid value of a path parameter, which may be used in an example. */
function isValidInPath(name: string, value: string): boolean {
  if (name === "slug") return patterns.slug.test(value);
  return inPath[name]?.type === "integer"
    ? patterns.positiveInteger.test(value)
    : /^[A-Za-z0-9]{1,40}$/.test(value);
}

/** Returns the given value of a tool's path parameter if the value is valid or a URL, otherwise an example value. */
function givenOr(name: string, value: unknown): unknown {
  const isUrl = name === "slug" && URL.canParse(String(value));
  return isUrl || isValidInPath(name, String(value ?? "")) ? value : samples[name];
}

const ofFile = {
  text: { type: "string" },
  base64: { type: "string", bound: "instead of text" },
  content_type: { type: "string" },
} as const;

/**
 * Appends a sentence about the call's fields to an error message. Shortens the message to `messageCharactersMax`.
 *
 * @param meant name of the field that the caller probably meant. The message then also contains the field's type and limits
 */
export function sayExpected(
  said: string,
  { fields }: ExpectedCall,
  call: string,
  meant: unknown = undefined,
): string {
  const { type, bound } = fields[String(meant)] ?? {};
  // Leaves out the type `string` if there is a list of allowed values.
  const shown = type === "string" && bound?.includes(", ") ? bound : [type, bound].filter(Boolean).join(", ");
  const message = type === undefined ? said : `${said} ${meant}: ${shown}.`;
  const names = Object.entries(fields)
    .filter(([name]) => !call.includes(`{${name}}`))
    .map(([name, { required }]) => (required ? `${name}*` : name));
  const takes =
    names.length === 0
      ? "takes no fields."
      : `takes ${names.join(", ")}${names.some((name) => name.endsWith("*")) ? " (*: required)" : ""}.`;
  const last = `${call} ${takes} See details.expected.`;
  const room = messageCharactersMax - last.length - 1;
  return `${message.length <= room ? message : firstSentences(message, room)} ${last}`;
}

/** Returns as many sentences of a message as fit into a number of characters. Truncates the first sentence if it is too long. */
function firstSentences(message: string, charactersMax: number): string {
  const end = message.lastIndexOf(". ", charactersMax - 1);
  return end < 0 ? `${message.slice(0, charactersMax - 1).toWellFormed()}…` : message.slice(0, end + 1);
}

/** Advice for a 404, with the calls that list existing resources, by kind of resource. */
const whereToLook: Partial<Record<Route["resource"], Message>> = {
  drops: {
    http: "You have no such drop. It may have been deleted, or a letter in the slug has the wrong case. GET /api/drops lists your drops, and GET /api/blobs your files. Read other people's drops at their url: GET /api/library lists them.",
    tool: "You have no such drop. It may have been deleted, or a letter in the slug has the wrong case. list_drops lists your drops, list_blobs your files, and list_library other people's drops.",
  },
  versions: inBothWords(
    (call) =>
      `You have no such drop or version. ${call("GET /api/drops", "list_drops")} lists your drops, and ${call("GET /api/drops/{slug}/versions", "list_versions")} their versions.`,
  ),
  blobs: inBothWords(
    (call) =>
      `You have no such file. ${call("GET /api/blobs", "list_blobs")} lists your files with their ids.`,
  ),
  tokens: "You have no token with this id. GET /api/tokens lists yours. Send the id, not the token.",
};

/**
 * Adds advice to an operation's error: the expected call, and for `not_found` the guide and the call that lists existing resources. For
 * tools, only chooses the tools' terms, because the MCP server adds the expected arguments.
 */
export function explainRefusal(route: Route, request: HttpRequest, error: ApiError): ApiError {
  const { caller, resource } = route;
  const isBare = error.both === errorCatalog.not_found.message && caller === "token";
  const said = isBare ? error.saying(whereToLook[resource] ?? error.both) : error;
  if (request.isToolCall) return said.forTools();
  const found =
    error.code === "not_found" ? said.saying(said.both, { guide: guideUrl(readSite(request)) }) : said;
  if (!isReviewed(route)) return found;
  const call = `${route.method} ${route.path}`;
  if (error.status === 400) {
    const expected = expectedCall(route, request);
    return found.saying(sayExpected(found.message, expected, call, meantBy(found, route)), { expected });
  }
  // The example for a 404 is the same for a missing resource and for another owner's resource, so it does not use the request.
  return error.status === 404 ? found.saying(found.both, { expected: expectedCall(route) }) : found;
}

/** Returns the field that the caller probably meant, or an invalid parameter whose value should come from an earlier response. */
export function meantBy(
  { details }: { readonly details: Readonly<Record<string, unknown>> },
  route: Route,
): unknown {
  const { did_you_mean: meant, field, parameter = field } = details;
  return meant ?? (originOf(route, String(parameter)) === undefined ? undefined : parameter);
}

function partsOf(route: Route) {
  const { query, body } = route;
  return {
    ofPath: Object.fromEntries(namesInPath(route).map((name) => [name, inPath[name] ?? { type: "string" }])),
    ofQuery: fieldsOf(query),
    ofBody: typeof body === "object" ? fieldsOf(body.json) : [],
  };
}

function describeAll(fields: readonly NamedField[]): Record<string, ExpectedField> {
  const described = fields.map((one) => [one.name, describeField(one)] as const);
  return Object.fromEntries(described.flatMap(([name, field]) => (field ? [[name, field]] : [])));
}

/** Creates example values for the required fields. */
function exampleOf(fields: readonly NamedField[]): Record<string, unknown> {
  const required = fields.filter(({ isRequired }) => isRequired);
  return Object.fromEntries(required.map(({ name }) => [name, samples[name] ?? name]));
}

/** Creates example values for the required fields, or for the first optional field if no field is required. */
function exampleOfBody(fields: readonly NamedField[]): Record<string, unknown> {
  const required = exampleOf(fields);
  const first = fields.find((one) => describeField(one) !== undefined && samples[one.name] !== undefined);
  return Object.keys(required).length > 0 || first === undefined
    ? required
    : { [first.name]: samples[first.name] };
}

import { limits } from "../../core/limits.ts";
import { exampleNamespace, type OperationExample } from "../../core/openapi.ts";
import type { DocumentSite } from "../../core/written-site.ts";
import { exampleHtml, exampleMarkdown } from "../../drops/openapi.ts";
import { type HostKind, neededScope, type Route } from "../../http/route.ts";
import { schemaReference } from "./component-schemas.ts";
import { notes } from "./features.ts";
import { defined, type JsonObject } from "./json.ts";
import { pageParametersOf, parametersOf } from "./parameters.ts";
import { responsesOf } from "./responses.ts";

/** Describes an operation as an Operation Object, for one of its paths. */
export function describeOperation(
  route: Route,
  example: OperationExample,
  site: DocumentSite,
  at: { readonly operationId: string; readonly host: HostKind },
): JsonObject {
  return defined({
    operationId: at.operationId,
    tags: [route.resource],
    summary: route.summary,
    description: descriptionOf(route),
    servers: at.host === "base" ? undefined : serversOf(at.host, site),
    security: route.caller === "token" ? undefined : [],
    parameters: [...parametersOf(route), ...pageParametersOf(route)],
    requestBody: requestBody(route, example),
    responses: responsesOf(route, example, site),
  });
}

/** Describes the service's own host as a Server Object. */
export function baseServer({ baseUrl }: DocumentSite): JsonObject {
  return { url: baseUrl, description: "The service" };
}

function serversOf(host: Exclude<HostKind, "base">, site: DocumentSite): JsonObject[] {
  const owner = {
    url: site.ownerUrl("{namespace}"),
    description: "The host of an owner",
    variables: {
      namespace: { default: exampleNamespace, description: "The owner's name, as in a drop's url." },
    },
  };
  return host === "owner" ? [owner] : [owner, baseServer(site)];
}

function descriptionOf(route: Route): string | undefined {
  const write = `Counts as a write: at most ${limits.writesPerMinutePerToken} a minute and ${limits.writesPerDayPerToken} a day for each token.`;
  const scope = `Needs a token with at least the scope \`${neededScope(route)}\`.`;
  const parts = [
    notes[route.id],
    route.countsAsWrite ? write : undefined,
    route.caller === "token" ? scope : undefined,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join("\n\n");
}

function requestBody({ body }: Route, { body: value }: OperationExample): JsonObject | undefined {
  if (body === undefined) return undefined;
  if (body === "bytes") {
    // Accepts any media type. In OpenAPI 3.1, a media type without a schema means bytes.
    return { required: true, content: { "application/octet-stream": { schema: {} }, "*/*": { schema: {} } } };
  }
  if (body === "form") {
    const fields = Object.keys(value ?? {}).map((name) => [name, { type: "string" }]);
    const schema = { type: "object", properties: Object.fromEntries(fields) };
    return {
      required: fields.length > 0,
      content: { "application/x-www-form-urlencoded": { schema, example: value } },
    };
  }
  const pages = {
    "text/html": { schema: { type: "string" }, example: exampleHtml },
    "text/markdown": { schema: { type: "string" }, example: exampleMarkdown },
    // The archive contains the files of a folder, with index.html at the top level.
    "application/zip": { schema: {} },
  };
  if (body === "page") return { required: true, content: pages };
  const { json, required, page } = body;
  return {
    required,
    content: {
      "application/json": defined({ schema: schemaReference(json), example: value }),
      ...(page ? pages : {}),
    },
  };
}

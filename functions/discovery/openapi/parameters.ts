import { limits } from "../../core/limits.ts";
import { exampleEntityTag } from "../../core/openapi.ts";
import { pageParameters } from "../../drops/openapi.ts";
import type { RequestHeader, Route } from "../../http/route.ts";
import { fieldNamesOf, type JsonSchema } from "../../http/schemas.ts";
import { pathParameters, queryParameters } from "./features.ts";
import { defined, type JsonObject, objectSchema } from "./json.ts";

const headerParameters: Readonly<Record<RequestHeader, JsonObject>> = {
  "Idempotency-Key": {
    description: `A unique key for this write, such as a UUID, with or without quotation marks. For ${limits.idempotencySeconds / 3600} hours, the same key with the same request returns the same response, and the write happens once. A different request with the same key is refused.`,
    schema: { type: "string", minLength: 1, maxLength: limits.idempotencyKeyCharactersMax + 2 },
    example: "8e03978e-40d5-43e8-bc93-6894a57f9324",
  },
  "If-Match": {
    description:
      "The `ETag` from your last read of the drop, several ETags, or `*`. The call is refused if the drop has changed since (RFC 9110, section 13.1.1).",
    schema: { type: "string", minLength: 1 },
    example: exampleEntityTag,
  },
};

/** Describes the parameters in an operation's path, query and headers. */
export function parametersOf(route: Route): JsonObject[] {
  const inPath = [...route.path.matchAll(/\{(\w+)\+?\}/g)].map(([, name = ""]) => pathParameter(name, route));
  const inHeaders = (route.headers ?? []).map((name) => ({
    name,
    in: "header",
    required: false,
    ...headerParameters[name],
  }));
  return [...inPath, ...parametersInQuery(route), ...inHeaders];
}

function parametersInQuery(route: Route): JsonObject[] {
  if (route.query === undefined) return [];
  const { properties, required } = objectSchema(route.query);
  return Object.entries(properties).map(([name, rule]) =>
    queryParameter(name, rule, required.includes(name), route),
  );
}

/** Describes the query parameters of an operation whose body is a page. They have the names and meanings of the JSON body's fields. */
export function pageParametersOf({ body, query }: Route): JsonObject[] {
  if (typeof body !== "object" || body.page === undefined) return [];
  const inQuery = fieldNamesOf(query);
  return Object.entries(objectSchema(body.page.query).properties)
    .filter(([name]) => !inQuery.includes(name))
    .map(([name, rule]) =>
      defined({
        name,
        in: "query",
        required: false,
        description: `With a body of \`text/html\`, \`text/markdown\` or \`application/zip\`: ${pageParameters[name]?.description ?? `the field \`${name}\` of the JSON body`}.`,
        ...(rule.type === "object" ? { style: "form", explode: true } : {}),
        schema: rule,
        example: pageParameters[name]?.example,
      }),
    );
}

/** Describes a path parameter. If no feature describes the parameter, uses a plain string schema, and a test fails. */
function pathParameter(name: string, { resource }: Route): JsonObject {
  const key = name in pathParameters ? name : `${resource} ${name}`;
  const described = pathParameters[key] ?? { schema: { type: "string" } };
  return defined({ name, in: "path", required: true, ...described });
}

function queryParameter(name: string, rule: JsonSchema, required: boolean, { id }: Route): JsonObject {
  const key = `${id} ${name}` in queryParameters ? `${id} ${name}` : name;
  return defined({
    name,
    in: "query",
    required,
    description: queryParameters[key]?.description,
    // Each property of the object becomes a separate query parameter.
    ...(rule.type === "object" ? { style: "form", explode: true } : {}),
    schema: rule,
    example: queryParameters[key]?.example,
  });
}

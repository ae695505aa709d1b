import * as z from "zod/mini";
import type { $ZodType } from "zod/v4/core";
import { accessRequestListResponse } from "../../access-requests/schemas.ts";
import { meResponse, tokenListResponse, tokenResponse, usageResponse } from "../../account/schemas.ts";
import { answerListResponse } from "../../answers/schemas.ts";
import { blobListResponse, blobResponse } from "../../blobs/schemas.ts";
import { errorCatalog } from "../../core/errors.ts";
import {
  dropListResponse,
  dropResponse,
  publicationAdditions,
  versionListResponse,
  versionResponse,
} from "../../drops/schemas.ts";
import { feedbackListResponse, replyResponse, threadResponse } from "../../feedback/schemas.ts";
import type { Route } from "../../http/route.ts";
import type { JsonSchema } from "../../http/schemas.ts";
import { warningsAddition } from "../../http/warnings.ts";
import { signInPollResponse, signInStartResponse } from "../../identity/schemas.ts";
import { libraryResponse } from "../../library/schemas.ts";
import { renderResponse } from "../../renders/schemas.ts";
import { operationIds, routeOf } from "../../routes.ts";
import { fileSecretsAddition } from "../../secrets/schemas.ts";
import { teamListResponse, teamResponse } from "../../teams/schemas.ts";
import { onboardingResponse } from "../onboarding-schema.ts";
import { fieldDescription } from "./features.ts";
import { type JsonObject, reference, translation, withPlainNull } from "./json.ts";

/** Names of the schemas that the specification defines. Other schemas are named after their operation. */
const specified: readonly (readonly [string, $ZodType])[] = [
  ["Drop", dropResponse],
  ["DropList", dropListResponse],
  ["PublishDropAdditions", publicationAdditions],
  ["Version", versionResponse],
  ["VersionList", versionListResponse],
  ["TokenInfo", tokenResponse],
  ["TokenList", tokenListResponse],
  ["Blob", blobResponse],
  ["BlobList", blobListResponse],
  ["FileSecrets", fileSecretsAddition],
  ["AuthStart", signInStartResponse],
  ["AuthPoll", signInPollResponse],
  ["Me", meResponse],
  ["Usage", usageResponse],
  ["Team", teamResponse],
  ["TeamList", teamListResponse],
  ["AnswerList", answerListResponse],
  ["AccessRequestList", accessRequestListResponse],
  ["FeedbackList", feedbackListResponse],
  ["Comment", replyResponse],
  ["Thread", threadResponse],
  ["Library", libraryResponse],
  ["Render", renderResponse],
  ["Onboarding", onboardingResponse],
  ["Warnings", warningsAddition],
];

const nameOf = nameSchemas(operationIds.map(routeOf));

/** Finds a name for every schema of the given operations. */
export function nameSchemas(rows: readonly Route[]): ReadonlyMap<$ZodType, string> {
  const names = new Map<$ZodType, string>(specified.map(([name, schema]) => [schema, name]));
  for (const { id, resource, body, response } of rows) {
    // Skips schemas that RFCs define, and schemas that only the service's own scripts read.
    if (resource === "oauth" || resource === "feedback-pages") continue;
    if (typeof body === "object" && !names.has(body.json)) names.set(body.json, pascalCase(id));
    if ("json" in response && !names.has(response.json))
      names.set(response.json, `${pascalCase(id)}Response`);
    if ("json" in response && response.additions && !names.has(response.additions))
      names.set(response.additions, `${pascalCase(id)}Additions`);
  }
  return names;
}

/** Builds a reference to the schema of an operation's request or response body. */
export function schemaReference(schema: $ZodType): JsonObject {
  const name = nameOf.get(schema);
  if (name === undefined) throw new Error("No operation in functions/routes.ts uses this schema.");
  return reference("schemas", name);
}

/** Builds `components.schemas`: all schemas of the operations as JSON Schema, with descriptions of fields, and the schema of errors. */
export function componentSchemas(names = nameOf): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [schema, id] of names) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => `#/components/schemas/${id}`,
    ...translation,
  });
  const translated = Object.entries(schemas).map(([name, schema]) => [name, present(name, schema)]);
  return { ...Object.fromEntries(translated), Error: present("Error", errorSchema) };
}

function present(name: string, translated: object): JsonSchema {
  const { $schema: _dialect, $id: _address, ...schema } = translated as Record<string, unknown>;
  return describeFields(withPlainNull(schema) as JsonSchema, name, fieldDescription(name));
}

function describeFields(schema: JsonSchema, path: string, description: string | undefined): JsonSchema {
  const properties = schema.properties as Readonly<Record<string, JsonSchema>> | undefined;
  const items = schema.items as JsonSchema | undefined;
  const values = schema.additionalProperties as JsonSchema | boolean | undefined;
  const choices = schema.anyOf as readonly JsonSchema[] | undefined;
  return {
    ...(description === undefined || "$ref" in schema ? {} : { description }),
    ...schema,
    ...(items === undefined ? {} : { items: describeFields(items, path, undefined) }),
    ...(typeof values === "object" ? { additionalProperties: describeFields(values, path, undefined) } : {}),
    ...(choices === undefined ? {} : { anyOf: choices.map((one) => describeFields(one, path, undefined)) }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, property]) => {
              const inner = `${path}.${name}`;
              return [name, describeFields(property, inner, fieldDescription(inner))];
            }),
          ),
        }),
  };
}

/** Schema of an error (specification, section "Errors"). */
const errorSchema = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["code", "message"],
      properties: {
        code: { type: "string", enum: Object.keys(errorCatalog) },
        message: { type: "string", minLength: 1 },
        details: {
          type: "object",
          properties: {
            retry_after_seconds: { type: "integer", minimum: 1 },
            expected: { type: "object", required: ["operation", "fields", "example"] },
          },
        },
      },
    },
  },
};

function pascalCase(id: string): string {
  return id.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import type { $ZodType } from "zod/v4/core";
import {
  meResponse,
  tokenListResponse,
  tokenResponse,
  usageResponse,
} from "../../functions/account/schemas.ts";
import { blobResponse } from "../../functions/blobs/schemas.ts";
import {
  dropListResponse,
  dropResponse,
  publishDropBody,
  versionListResponse,
  versionResponse,
} from "../../functions/drops/schemas.ts";
import { patterns } from "../../functions/http/schemas.ts";
import { signInPollResponse, signInStartResponse } from "../../functions/identity/schemas.ts";
import { codeWordsIn, integersIn, paragraphUnder, tableUnder } from "../support/specification.ts";
import { endpoints, routeAt } from "../support/specification-endpoints.ts";

/** Fields added to the specification's: docs/adr/0040-visibility-and-indexing.md. */
const whoMayRead = ["visibility", "readers"];
/** Fields added to drops only: docs/adr/0040-visibility-and-indexing.md, 0070-feedback.md and 0093-expiry-and-trash.md. */
const reach = ["indexed", "feedback", "answers", "answers_results", "expires_at"];

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

describe("the specification's responses", () => {
  const sections = [
    {
      heading: "### Drop",
      schema: dropResponse,
      optional: ["readers"],
      added: [...whoMayRead, "readable_by", ...reach],
    },
    {
      heading: "### Version",
      schema: versionResponse,
      optional: ["note", "has_source", "files", "folder_bytes", "original_date"],
      added: ["note", "has_source", "files", "folder_bytes", "original_date"],
    },
    {
      heading: "### TokenInfo",
      schema: tokenResponse,
      optional: ["expires_at"],
      added: ["expires_at", "scope"],
    },
    {
      heading: "### Blob",
      schema: blobResponse,
      optional: ["readers", "expires_at"],
      added: [...whoMayRead, "readable_by", "expires_at"],
    },
    { heading: "### AuthStart response", schema: signInStartResponse, optional: [] },
    {
      heading: "### AuthPoll response",
      schema: signInPollResponse,
      optional: ["api_token", "user_id"],
    },
    { heading: "### Me", schema: meResponse, optional: [], added: ["account", "person"] },
    { heading: "### Usage", schema: usageResponse, optional: [] },
    { heading: "### DropList", schema: dropListResponse, optional: [] },
  ];

  test.each(sections)("$heading has the fields of its table, and only decided additions", (section) => {
    const { heading, schema, optional, added = [] } = section;
    const fields = [...tableUnder(heading).map((row) => row.Field ?? ""), ...added];

    const { properties = {}, required = [] } = jsonSchemaOf(schema);

    expect(Object.keys(properties)).toEqual(fields);
    expect(required).toEqual(fields.filter((field) => !optional.some((name) => name === field)));
  });

  test.each(
    sections.flatMap(({ heading, schema }) =>
      tableUnder(heading).map((row) => ({ heading, schema, field: row.Field ?? "", row })),
    ),
  )("$heading: $field has the type of its row", ({ schema, field, row }) => {
    expect(jsonSchemaOf(schema).properties?.[field]).toMatchObject(schemaOfType(row.Type ?? ""));
  });

  test("the lists of tokens and versions are wrapped as the endpoints' tables show", () => {
    expect(jsonSchemaOf(tokenListResponse).properties).toEqual({
      tokens: { type: "array", items: withoutDialect(tokenResponse) },
    });
    expect(jsonSchemaOf(versionListResponse).properties).toEqual({
      versions: { type: "array", items: withoutDialect(versionResponse) },
    });
  });
});

/** Fields added to the publication of a version: docs/adr/0046-versions.md, 0094-secretlint.md. */
const ofVersions = ["allow_secrets", "original_date"];

describe("the specification's request bodies", () => {
  const publishFields = tableUnder("### PublishDrop (request body of drop creation)");

  test("publishing accepts the table's fields and the decided additions, and requires the marked fields", () => {
    const { properties = {}, required = [] } = jsonSchemaOf(publishDropBody);

    const fields = [
      ...publishFields.map((row) => row.Field),
      "note",
      ...ofVersions,
      ...whoMayRead,
      ...reach,
      "expires_in_days",
    ];
    expect(Object.keys(properties).toSorted()).toEqual(fields.toSorted());
    expect(required).toEqual(publishFields.filter((row) => row.Required === "yes").map((row) => row.Field));
  });

  test.each(["PUT /api/drops/{slug}", "PATCH /api/drops/{slug}", "POST /api/drops/{slug}/passcode"])(
    "%s accepts the fields of its row",
    (name) => {
      const row = endpoints.find((endpoint) => endpoint.name === name)?.row ?? {};
      const named =
        (row.Request ?? "").match(/\b(html|title|description|context|metadata|passcode)\b/g) ?? [];
      const { body } = routeAt(row);

      const taken = typeof body === "object" ? Object.keys(jsonSchemaOf(body.json).properties ?? {}) : [];

      expect(named.length).toBeGreaterThan(0);
      expect(taken).toEqual(expect.arrayContaining(named));
    },
  );

  test.each(publishFields.filter((row) => /max \d/.test(row.Constraint ?? "")))(
    "$Field can be as long as the table says, and no longer",
    (row) => {
      const [max = 0] = integersIn(row.Constraint ?? "");
      const bodyOf = (length: number) => ({ html: "<p>", title: "T", [row.Field ?? ""]: "x".repeat(length) });

      expect(z.safeParse(publishDropBody, bodyOf(max)).success).toBe(true);
      expect(z.safeParse(publishDropBody, bodyOf(max + 1)).success).toBe(false);
    },
  );

  test("metadata keys have the specification's pattern", () => {
    const [pattern] = codeWordsIn(paragraphUnder("### Metadata", "- Key pattern"));

    expect(patterns.metadataKey.source).toBe(pattern);
  });
});

function jsonSchemaOf(schema: $ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: "input" }) as JsonSchema;
}

function withoutDialect(schema: $ZodType): unknown {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return rest;
}

/** Returns the JSON Schema for a cell of a type column. */
function schemaOfType(cell: string): object {
  if (cell === "Metadata") return { type: "object", additionalProperties: { type: "string" } };
  if (cell.startsWith("TokenInfo")) return withoutDialect(tokenResponse) as object;
  if (cell === "array of Drop") return { type: "array", items: withoutDialect(dropResponse) };
  if (cell.startsWith("object: ")) {
    const properties = [...cell.matchAll(/(\w+) \((\w+)\)/g)].map(([, name, type]) => [name, { type }]);
    return {
      type: "object",
      properties: Object.fromEntries(properties),
      required: properties.map(([name]) => name),
    };
  }
  const [type = ""] = cell.split(/[ ,]/);
  const [, minimum] = /min (\d+)/.exec(cell) ?? [];
  return {
    type: cell.startsWith("string or null") ? ["string", "null"] : type,
    ...(cell.includes("one of") ? { enum: codeWordsIn(cell) } : {}),
    ...(cell.includes("`^") ? { pattern: codeWordsIn(cell)[0] } : {}),
    ...(cell.includes("URI") ? { format: "uri" } : {}),
    ...(minimum === undefined ? {} : { minimum: Number(minimum) }),
  };
}

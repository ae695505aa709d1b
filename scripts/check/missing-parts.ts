import { dirname } from "node:path";
import type { FeatureDescription, OperationExample } from "../../functions/core/openapi.ts";
import { componentSchemas, nameSchemas } from "../../functions/discovery/openapi/component-schemas.ts";
import { undescribedOperationIds } from "../../functions/discovery/openapi/document.ts";
import {
  fieldDescription,
  operationExamples,
  queryParameters,
} from "../../functions/discovery/openapi/features.ts";
import type { JsonObject } from "../../functions/discovery/openapi/json.ts";
import { parametersOf } from "../../functions/discovery/openapi/parameters.ts";
import type { ResourceName, Route } from "../../functions/http/route.ts";
import { takesLargeBody } from "../../functions/ingest/rows.ts";
import { mcpTools } from "../../functions/mcp/tools.ts";
import { type OperationId, routeOf, routes } from "../../functions/routes.ts";
import { camelCase } from "../../lib/bundle/function-source.ts";
import { asksAws, isAgentsRead } from "../../test/faults/asking.ts";
import { endpoints, isAt } from "../../test/support/specification-endpoints.ts";
import { placeholderOf } from "./placeholder.ts";
import { type FoundRow, lineOfRow } from "./rows.ts";
import { source } from "./source.ts";

/** A missing part of an operation: the text to add, and the file and line (from 1) to add it to. A missing file has the line 1. */
type Part = { readonly file: string; readonly line: number; readonly text: string };

const site = { baseUrl: "https://drops.example.com", ownerUrl: () => "https://ada.drops.example.com" };
const examples: Readonly<Record<string, OperationExample | undefined>> = operationExamples(site);

/** Finds the missing parts of operations, given their definitions (rows), which `functions/routes.ts` may not contain yet. */
export function findMissingParts(rows: readonly FoundRow[]): (Part & { readonly id: string })[] {
  const names = nameSchemas(rows.map(({ route }) => route));
  const schemas = componentSchemas(names);
  return rows.flatMap((row) => partsOfRow(row, silentFieldsOf(row.route, names, schemas)));
}

function partsOfRow(row: FoundRow, silentFields: readonly string[]) {
  const { route } = row;
  const { id } = route;
  const isDescribed = undescribedOperationIds.every((one) => one !== id);
  const isListed = Object.hasOwn(routes, id) && routeOf(id as OperationId).id === id;
  const isTool = mcpTools.some(({ operation }) => operation === id);
  const parts = [
    ...(isListed ? [] : listedRowParts(row, "functions/routes.ts", "./")),
    ...additionParts(row),
    ...handlerParts(row),
    ...descriptionParts(row, isDescribed, silentFields),
    ...(isDescribed ? testParts(route) : []),
    ...recipeParts(route),
    ...auditParts(route),
    ...ingestParts(row),
    ...(isTool && !hasEntry(toolTable, id) ? listedRowParts(row, toolTable, "../") : []),
  ];
  return parts.map((part) => ({ id, ...part }));
}

const toolTable = "functions/mcp/tool-rows.ts";

/** Returns true if the record in a file contains an entry for the operation. */
function hasEntry(file: string, id: string): boolean {
  return new RegExp(`^  "${id}": `, "m").test(source.read(file));
}

/** Builds the missing import of an operation definition (row), and its missing entry in a route table. */
function listedRowParts(
  { route: { id }, file: rows, exportName }: FoundRow,
  file: string,
  root: string,
): Part[] {
  const path = rows.replace("functions/", root);
  const [, space] = new RegExp(`import \\* as (\\w+) from "${path}"`).exec(source.read(file)) ?? [];
  if (space !== undefined) {
    const line = source.lineAfter(file, new RegExp(`: ${space}\\.\\w+Route,`));
    return [{ file, line, text: `  "${id}": ${space}.${exportName},` }];
  }
  const newSpace = camelCase(rows.split("/")[1] ?? "");
  const line = source.lineAfter(file, /^ {2}"[\w-]+": \w+\.\w+Route,/);
  return [
    { file, line: 1, text: `import * as ${newSpace} from "${path}";` },
    { file, line, text: `  "${id}": ${newSpace}.${exportName},` },
  ];
}

/** Builds the missing field `addition`. An operation outside the specification's tables must have this field. */
function additionParts(row: FoundRow): Part[] {
  const { route, file } = row;
  if (route.addition !== undefined || endpoints.some((endpoint) => isAt(route, endpoint.row))) return [];
  const text = '  addition: "docs/adr/…", // or words of the specification, or the reason in a sentence';
  return [{ file, line: lineOfRow(row, "summary:"), text }];
}

function handlerParts(row: FoundRow): Part[] {
  const { route, exportName: rowName, file: rowFile } = row;
  const { method, path, servedBy = "function", summary } = route;
  if (servedBy === "documents") return documentParts(row);
  if (servedBy !== "function") return [];
  const { file, exportName } = handlerOf(row);
  if (source.exists(file) && new RegExp(`^export const ${exportName} = `, "m").test(source.read(file)))
    return [];
  const maker = makerOf(route);
  const text = [
    `import { ${rowName} } from "./${rowFile.split("/").at(-1)}";`,
    "",
    `/** ${method} ${path}: ${summary.slice(0, 1).toLowerCase()}${summary.slice(1)}. */`,
    `export const ${exportName} = ${maker}(${rowName}, async (input) => …);`,
  ].join("\n");
  return [{ file, line: 1, text }];
}

/** Returns the file and name of an operation's handler, which is beside the operation's definition and named after its id. */
function handlerOf({ route: { id }, file }: FoundRow) {
  return { file: `${dirname(file)}/${id}.ts`, exportName: camelCase(id) };
}

function makerOf({ caller, errorsAs }: Route): string {
  if (caller === "session") return "signedInPage";
  if (caller === "token") return "tokenOperation";
  return errorsAs === "json" ? "operation" : "pageOperation";
}

const documentsFile = "functions/discovery/serve-documents.ts";

/** Builds the missing handler of a document, and its missing entry in the function that serves all documents. */
function documentParts({ route: { method, path }, exportName }: FoundRow): Part[] {
  const file = documentsFile;
  const text = source.read(file);
  const name = exportName.replace(/Route$/, "");
  const maker = [
    `/** ${method} ${path}: …. */`,
    `const ${name} = documentOperation(${exportName}, async ({ site }) => …);`,
    "",
  ].join("\n");
  const line = text.split("\n").findIndex((one) => one.startsWith("/** GET ")) + 1;
  const hasMaker = new RegExp(`\\(${exportName},`).test(text);
  const isServed = new RegExp(`^  ${name},$`, "m").test(text);
  return [
    ...(hasMaker ? [] : [{ file, line, text: maker }]),
    ...(isServed ? [] : [{ file, line: source.lineAfter(file, /^ {2}[a-z]\w+,$/), text: `  ${name},` }]),
  ];
}

/** A missing entry in the feature's `openapi.ts`. */
type DescriptionEntry = { readonly record: keyof FeatureDescription; readonly text: string };

/** Builds the missing example of a call, and the missing descriptions of its parameters and fields. */
function descriptionParts(row: FoundRow, isDescribed: boolean, silentFields: readonly string[]): Part[] {
  const file = `${dirname(row.file)}/openapi.ts`;
  const { id } = row.route;
  const fields = isDescribed ? missingExample(row.route) : "";
  const parts: Part[] = [];
  const entries: DescriptionEntry[] = [];
  if (fields !== "" && examples[id] !== undefined) {
    const line = source.lineAfter(file, new RegExp(`^ {4}"${id}": \\{`));
    parts.push({ file, line, text: `      ${fields},` });
  } else if (fields !== "") entries.push({ record: "examples", text: `    "${id}": { ${fields} },` });
  if (isDescribed)
    entries.push(...parametersOf(row.route).flatMap((one) => parameterEntries(row.route, one)));
  for (const path of silentFields)
    entries.push({ record: "fields", text: `  ${path.includes(".") ? `"${path}"` : path}: "….",` });
  return [...parts, ...entryParts(file, entries)];
}

function missingExample({ id, body, response }: Route): string {
  const example = examples[id];
  const lacksBody = typeof body === "object" && example?.body === undefined;
  const lacksResponse = "json" in response && !("content" in response) && example?.response === undefined;
  const isOnboarding = id === "read-onboarding";
  return [
    ...(lacksBody ? [`body: ${placeholderOf(body.json)}`] : []),
    ...(lacksResponse && !isOnboarding ? [`response: ${placeholderOf(response.json)}`] : []),
  ].join(", ");
}

function parameterEntries({ id, resource }: Route, parameter: JsonObject): DescriptionEntry[] {
  if (parameter.in === "header" || (parameter.example !== undefined && parameter.description !== undefined))
    return [];
  const name = String(parameter.name);
  if (parameter.in === "query") {
    const key = name in queryParameters ? `"${id} ${name}"` : name;
    return [{ record: "queryParameters", text: `  ${key}: { description: "….", example: "…" },` }];
  }
  const key = name === "id" ? `"${resource} ${name}"` : name;
  const text = `  ${key}: { schema: { type: "string" }, description: "….", example: "…" },`;
  return [{ record: "pathParameters", text }];
}

const featuresFile = "functions/discovery/openapi/features.ts";

/** Builds parts that add entries at the beginning of their records. If the record is missing, builds one part with the whole record. */
function entryParts(file: string, entries: readonly DescriptionEntry[]): Part[] {
  const byRecord = Object.groupBy(entries, ({ record }) => record);
  const parts = Object.entries(byRecord).flatMap(([record, own]): Part[] => {
    const texts = own.map(({ text }) => text);
    const line = source.exists(file) ? firstEntry(file, record) : 0;
    if (line > 0) return texts.map((text) => ({ file, line, text }));
    const [head, end] = record === "examples" ? ["() => ({", "});"] : ["{", "};"];
    const text = [`export const ${record} = ${head}`, ...texts, end].join("\n");
    return [{ file, line: 1, text }];
  });
  if (parts.length === 0 || source.exists(file)) return parts;
  // A feature's first description file must also be imported into the OpenAPI document.
  const space = camelCase(dirname(file).split("/").at(-1) ?? "");
  const text = `import * as ${space} from "${file.replace("functions/", "../../")}";`;
  return [
    ...parts,
    { file: featuresFile, line: 1, text },
    { file: featuresFile, line: afterHead(featuresFile, "features"), text: `  ${space},` },
  ];
}

/** Finds the line of a record's first entry in a description file. Returns 0 if the record is missing. */
function firstEntry(file: string, record: string): number {
  const lines = source.read(file).split("\n");
  const declared = lines.findIndex((line) => line.startsWith(`export const ${record}`));
  if (declared < 0) return 0;
  const entry = record === "examples" ? /^ {4}"[\w-]+": / : /^ {2}["\w.]/;
  return lines.findIndex((line, index) => index > declared && entry.test(line)) + 1;
}

/** Finds the line after the opening bracket of a record or list. */
function afterHead(file: string, record: string): number {
  const lines = source.read(file).split("\n");
  const declared = lines.findIndex((line) => new RegExp(`^(export )?const ${record}\\b`).test(line));
  return lines.findIndex((line, index) => index >= declared && /= [{[]$/.test(line)) + 2;
}

/** Finds an operation's schemas and fields that have no description in the OpenAPI document. */
function silentFieldsOf(
  { body, response }: Route,
  names: ReturnType<typeof nameSchemas>,
  schemas: ReturnType<typeof componentSchemas>,
): string[] {
  const own = [
    typeof body === "object" ? body.json : undefined,
    "json" in response ? response.json : undefined,
    "json" in response ? response.additions : undefined,
  ].flatMap((schema) => (schema && names.get(schema)) ?? []);
  return own.flatMap((name) => [
    ...(fieldDescription(name) === undefined ? [name] : []),
    ...silentFields(schemas[name] as JsonObject, name),
  ]);
}

/**
 * Finds the paths of a schema's fields without a description. Skips the fields of `Onboarding.recipes`, because one description covers all
 * of them.
 */
function silentFields(schema: JsonObject, path: string): string[] {
  const properties = (schema.properties ?? {}) as Readonly<Record<string, JsonObject>>;
  const items = schema.items as JsonObject | undefined;
  const anyOf = (schema.anyOf ?? []) as readonly JsonObject[];
  return [
    ...Object.entries(properties).flatMap(([name, property]) => [
      ...("$ref" in property || "description" in property ? [] : [`${path}.${name}`]),
      ...silentFields(property, `${path}.${name}`),
    ]),
    ...(items ? silentFields(items, path) : []),
    ...anyOf.flatMap((choice) => silentFields(choice, path)),
  ].filter((field) => !field.startsWith("Onboarding.recipes."));
}

/** Tests that call every operation, which are therefore not regarded as the test of a single operation. */
const generalTests = ["test/service/openapi.test.ts", "test/service/common-refusals.test.ts"];
const testTexts = ["test/service", "test/browser"]
  .flatMap((folder) => source.list(folder, ".ts"))
  .filter((file) => !generalTests.includes(file))
  .map(source.read);

/** Builds the missing test of an operation. Tests call agents' operations by id, and readers' pages by URL. */
function testParts({ id, caller, path, method }: Route): Part[] {
  const address = path.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = new RegExp(`"${id}"${caller === "anyone" ? `|${address.join("[^\\s\"'`]+")}` : ""}`);
  if (testTexts.some((text) => pattern.test(text))) return [];
  const text = [
    `test("…", async () => {`,
    `  const answer = await account.api.succeed("${id}", { … }); // ${method} ${path}`,
    "});",
  ].join("\n");
  return [{ file: `test/service/${id}.test.ts`, line: 1, text }];
}

const recipeFiles: Partial<Record<ResourceName, string | readonly string[]>> = {
  auth: "test/faults/sign-in-recipes.ts",
  account: "test/faults/account-recipes.ts",
  "account-pages": ["test/faults/account-page-recipes.ts", "test/faults/own-team-recipes.ts"],
  library: "test/faults/account-page-recipes.ts",
  tokens: "test/faults/account-recipes.ts",
  blobs: "test/faults/account-recipes.ts",
  "access-requests": "test/faults/access-recipes.ts",
  answers: "test/faults/answer-recipes.ts",
  feedback: "test/faults/feedback-recipes.ts",
  teams: "test/faults/team-recipes.ts",
  oauth: "test/faults/oauth-recipes.ts",
  pages: "test/faults/reader-recipes.ts",
  scim: "test/faults/scim-recipes.ts",
  "feedback-pages": "test/faults/reader-recipes.ts",
};

/** Builds the missing recipe for the tests that inject a fault into every AWS call. */
function recipeParts(route: Route): Part[] {
  const { id, resource } = route;
  const files = [recipeFiles[resource] ?? "test/faults/drop-recipes.ts"].flat();
  const [file = ""] = files;
  // The service of these tests has default settings, so operations that need other settings cannot be called.
  if (route.onlyWith !== undefined || !asksAws(route) || isAgentsRead(route)) return [];
  if (files.some((one) => hasEntry(one, id))) return [];
  const text = `  "${id}": [{ prepare: async (world) => ({ call: { token: world.token, … }, expectVisible: … }) }],`;
  const record = camelCase(file.split("/").at(-1)?.replace(".ts", "") ?? "");
  return [{ file, line: afterHead(file, record), text }];
}

const auditStory = "test/operator/audit.test.ts";

/** Builds the missing line in the test that calls each operation once and then reads the audit trail. */
function auditParts({ id, resource, grants, onlyWith }: Route): Part[] {
  // Skips SCIM's operations, whose audit entries are checked in test/scim/provisioning.own.test.ts. Skips optional operations, which the
  // service in this test does not have.
  if (!grants.audit || resource === "scim" || onlyWith !== undefined) return [];
  if (source.read(auditStory).includes(`action: "${id}"`)) return [];
  const line = source.lineAfter(auditStory, /^ {4}\{ action: "/);
  return [{ file: auditStory, line, text: `    { action: "${id}", ...own, … }, // and its call above` }];
}

const ingestFile = "functions/ingest/operations.ts";

/** Builds the missing import of a handler in the server for large bodies. */
function ingestParts(row: FoundRow): Part[] {
  if (!takesLargeBody(row.route)) return [];
  const { file, exportName } = handlerOf(row);
  const wanted = [
    { kind: /^import /, text: `import { ${exportName} } from "${file.replace("functions/", "../")}";` },
    { kind: /^ {4}[a-z]\w+,$/, text: `    ${exportName},` },
  ];
  return wanted
    .filter(({ text }) => !source.read(ingestFile).split("\n").includes(text))
    .map(({ kind, text }) => ({ file: ingestFile, line: source.lineAfter(ingestFile, kind), text }));
}

import { dirname } from "node:path";
import { componentSchemas, nameSchemas } from "../../functions/discovery/openapi/component-schemas.ts";
import { undescribedOperationIds } from "../../functions/discovery/openapi/document.ts";
import { type OperationExample, operationExamples } from "../../functions/discovery/openapi/examples.ts";
import { schemaDescriptions } from "../../functions/discovery/openapi/field-descriptions.ts";
import type { JsonObject } from "../../functions/discovery/openapi/json.ts";
import { parametersOf } from "../../functions/discovery/openapi/parameters.ts";
import { readHtmlRoute } from "../../functions/drops/version-rows.ts";
import { listFeedbackRoute } from "../../functions/feedback/rows.ts";
import type { ResourceName, Route } from "../../functions/http/route.ts";
import { takesLargeBody } from "../../functions/ingest/rows.ts";
import { mcpTools } from "../../functions/mcp/tools.ts";
import { getRenderRoute } from "../../functions/renders/rows.ts";
import { type OperationId, routeOf, routes } from "../../functions/routes.ts";
import { camelCase } from "../../lib/bundle/function-source.ts";
import { asksAws, isAgentsRead } from "../../test/faults/asking.ts";
import { endpoints, isAt } from "../../test/support/specification-endpoints.ts";
import { placeholderOf } from "./placeholder.ts";
import { type FoundRow, lineOfRow } from "./rows.ts";
import { source } from "./source.ts";

/** Missing part of an operation: the text, and the line of the file to add it at. */
export interface MissingPart {
  readonly id: string;
  readonly file: string;
  /** Counted from 1; what stands there moves down. Of a file that is not there: 1. */
  readonly line: number;
  readonly text: string;
}

const site = { baseUrl: "https://drops.example.com", ownerUrl: () => "https://ada.drops.example.com" };
const examples: Readonly<Record<string, OperationExample | undefined>> = operationExamples(site);

/** Everything that the rows' operations lack, whether the rows are in the table or not. */
export function findMissingParts(rows: readonly FoundRow[]): MissingPart[] {
  return [...rows.flatMap(partsOfRow), ...fieldParts(rows)];
}

function partsOfRow(row: FoundRow): MissingPart[] {
  const { route } = row;
  const isDescribed = undescribedOperationIds.every((id) => id !== route.id);
  return [
    ...tableParts(row),
    ...additionParts(row),
    ...handlerParts(row),
    ...(isDescribed ? exampleParts(route) : []),
    ...(isDescribed ? testParts(route) : []),
    ...recipeParts(route),
    ...performerParts(row),
  ];
}

const table = "functions/routes.ts";

/** Rows cannot be found by their folder without being loaded, and a bundle must not load them. */
function tableParts({ route: { id }, file, exportName }: FoundRow): MissingPart[] {
  if (Object.hasOwn(routes, id) && routeOf(id as OperationId).id === id) return [];
  const path = file.replace("functions/", "./");
  const [, space] = new RegExp(`import \\* as (\\w+) from "${path}"`).exec(source.read(table)) ?? [];
  if (space !== undefined) {
    const line = source.lineAfter(table, new RegExp(`: ${space}\\.\\w+Route,`));
    return [{ id, file: table, line, text: `  "${id}": ${space}.${exportName},` }];
  }
  const newSpace = camelCase(file.split("/")[1] ?? "");
  return [
    { id, file: table, line: 1, text: `import * as ${newSpace} from "${path}";` },
    {
      id,
      file: table,
      line: source.lineAfter(table, /^ {2}"[\w-]+": \w+\.\w+Route,/),
      text: `  "${id}": ${newSpace}.${exportName},`,
    },
  ];
}

/** An operation that no table of the specification has says where it comes from. */
function additionParts(row: FoundRow): MissingPart[] {
  const { route, file } = row;
  if (route.addition !== undefined || endpoints.some((endpoint) => isAt(route, endpoint.row))) return [];
  const text = '  addition: "docs/adr/…", // or the words of the specification that ask for it';
  return [{ id: route.id, file, line: lineOfRow(row, "summary:"), text }];
}

function handlerParts(row: FoundRow): MissingPart[] {
  const { route, exportName: rowName, file: rowFile } = row;
  const { id, method, path, servedBy = "function", summary } = route;
  if (servedBy === "documents") return documentParts(row);
  if (servedBy !== "function") return [];
  const { file, exportName } = handlerOf(row);
  if (source.exists(file) && new RegExp(`^export const ${exportName} = `, "m").test(source.read(file))) {
    return [];
  }
  const maker = makerOf(route);
  const text = [
    `import { ${rowName} } from "./${rowFile.split("/").at(-1)}";`,
    "",
    `/** ${method} ${path}: ${summary.slice(0, 1).toLowerCase()}${summary.slice(1)}. */`,
    `export const ${exportName} = ${maker}(${rowName}, async (input) => …);`,
  ].join("\n");
  return [{ id, file, line: 1, text }];
}

/** The handler of a row is beside it, in a file that has the operation's id. */
function handlerOf({ route: { id }, file }: FoundRow) {
  return { file: `${dirname(file)}/${id}.ts`, exportName: camelCase(id) };
}

function makerOf({ caller, errorsAs }: Route): string {
  if (caller === "session") return "signedInPage";
  if (caller === "token") return "tokenOperation";
  return errorsAs === "json" ? "operation" : "pageOperation";
}

const documentsFile = "functions/discovery/serve-documents.ts";

/** One function serves all documents: it has a maker and an entry for each. */
function documentParts({ route: { id, method, path }, exportName }: FoundRow): MissingPart[] {
  const text = source.read(documentsFile);
  const name = exportName.replace(/Route$/, "");
  const maker = [
    `/** ${method} ${path}: …. */`,
    `const ${name} = documentOperation(${exportName}, async ({ site }) => …);`,
    "",
  ].join("\n");
  const line = text.split("\n").findIndex((one) => one.startsWith("/** GET ")) + 1;
  return [
    ...(new RegExp(`\\(${exportName},`).test(text) ? [] : [{ id, file: documentsFile, line, text: maker }]),
    ...(new RegExp(`^  ${name},$`, "m").test(text)
      ? []
      : [
          {
            id,
            file: documentsFile,
            line: source.lineAfter(documentsFile, /^ {2}[a-z]\w+,$/),
            text: `  ${name},`,
          },
        ]),
  ];
}

const exampleFile = "functions/discovery/openapi/examples.ts";
const parameterFile = "functions/discovery/openapi/parameters.ts";

function exampleParts(route: Route): MissingPart[] {
  const { id, body, response } = route;
  const example = examples[id] ?? {};
  const lacksBody = typeof body === "object" && example.body === undefined;
  const lacksResponse = "json" in response && !("content" in response) && example.response === undefined;
  const isTold = id === "read-onboarding";
  const fields = [
    ...(lacksBody ? [`body: ${placeholderOf(body.json)}`] : []),
    ...(lacksResponse && !isTold ? [`response: ${placeholderOf(response.json)}`] : []),
  ];
  const text = examples[id] ? `      ${fields.join(", ")},` : `    "${id}": { ${fields.join(", ")} },`;
  const own = new RegExp(`^ {4}"${id}": \\{`);
  const place = examples[id] ? own : /^ {4}"call-mcp": \{/;
  const line = source.lineAfter(exampleFile, place) - (examples[id] ? 0 : 1);
  return [
    ...(fields.length > 0 ? [{ id, file: exampleFile, line, text }] : []),
    ...parametersOf(route).flatMap((parameter) => parameterParts(route, parameter)),
  ];
}

function parameterParts({ id, resource }: Route, parameter: JsonObject): MissingPart[] {
  const name = String(parameter.name);
  const isInPath = parameter.in === "path";
  const key = isInPath && name === "id" ? `"${resource} ${name}"` : name;
  const [examplesName, wordsName] = isInPath
    ? ["pathExamples", "pathParameters"]
    : ["queryExamples", "queryDescriptions"];
  const words = isInPath ? '{ schema: { type: "string" }, description: "…." }' : '"…."';
  return [
    ...(parameter.example === undefined
      ? [{ id, file: exampleFile, line: afterHead(exampleFile, examplesName), text: `  ${key}: "…",` }]
      : []),
    ...(parameter.description === undefined
      ? [{ id, file: parameterFile, line: afterHead(parameterFile, wordsName), text: `  ${key}: ${words},` }]
      : []),
  ];
}

/** Where a record's first entry stands. */
function afterHead(file: string, record: string): number {
  const lines = source.read(file).split("\n");
  const declared = lines.findIndex((line) => new RegExp(`^(export )?const ${record}\\b`).test(line));
  return lines.findIndex((line, index) => index >= declared && line.endsWith("= {")) + 2;
}

const fieldFile = "functions/discovery/openapi/field-descriptions.ts";

/** Schemas and fields of these rows without a description in the OpenAPI document. */
function fieldParts(rows: readonly FoundRow[]): MissingPart[] {
  const names = nameSchemas(rows.map(({ route }) => route));
  const all = componentSchemas(names);
  return rows.flatMap(({ route: { id, body, response } }) => {
    const own = [
      typeof body === "object" ? body.json : undefined,
      "json" in response ? response.json : undefined,
      "json" in response ? response.additions : undefined,
    ].flatMap((schema) => (schema && names.get(schema)) ?? []);
    return own.flatMap((name) => [
      ...(name in schemaDescriptions
        ? []
        : [
            {
              id,
              file: fieldFile,
              line: afterHead(fieldFile, "schemaDescriptions"),
              text: `  ${name}: "….",`,
            },
          ]),
      ...silentFields(all[name] as JsonObject, name).map((path) => {
        return { id, file: fieldFile, line: afterHead(fieldFile, "inPlace"), text: `  "${path}": "….",` };
      }),
    ]);
  });
}

/** The paths of a schema's fields that have no description; those of recipes are told of as a whole. */
function silentFields(schema: JsonObject, path: string): string[] {
  const { properties = {}, items } = schema as {
    properties?: Readonly<Record<string, JsonObject>>;
    items?: JsonObject;
  };
  return [
    ...Object.entries(properties).flatMap(([name, property]) => [
      ...("$ref" in property || "description" in property ? [] : [`${path}.${name}`]),
      ...silentFields(property, `${path}.${name}`),
    ]),
    ...(items ? silentFields(items, path) : []),
  ].filter((field) => !field.startsWith("Onboarding.recipes."));
}

/** These send what every operation refuses, or what the document says: they show nothing of one. */
const generalTests = ["test/service/openapi.test.ts", "test/service/common-refusals.test.ts"];
const testTexts = ["test/service", "test/browser"]
  .flatMap((folder) => source.list(folder, ".ts"))
  .filter((file) => !generalTests.includes(file))
  .map(source.read);

/** Agents' operations are called by their ids, readers' pages are opened by their addresses. */
function testParts({ id, caller, path, method }: Route): MissingPart[] {
  const address = path.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = new RegExp(`"${id}"${caller === "anyone" ? `|${address.join("[^\\s\"'`]+")}` : ""}`);
  if (testTexts.some((text) => pattern.test(text))) return [];
  const text = [
    `test("…", async () => {`,
    `  const answer = await account.api.succeed("${id}", { … }); // ${method} ${path}`,
    "});",
  ].join("\n");
  return [{ id, file: `test/service/${id}.test.ts`, line: 1, text }];
}

const recipeFiles: Partial<Record<ResourceName, string>> = {
  auth: "test/faults/sign-in-recipes.ts",
  account: "test/faults/account-recipes.ts",
  "account-pages": "test/faults/account-page-recipes.ts",
  library: "test/faults/account-page-recipes.ts",
  tokens: "test/faults/account-recipes.ts",
  blobs: "test/faults/account-recipes.ts",
  feedback: "test/faults/feedback-recipes.ts",
  oauth: "test/faults/oauth-recipes.ts",
  pages: "test/faults/reader-recipes.ts",
  "feedback-pages": "test/faults/reader-recipes.ts",
};

/** Missing recipe for the tests with faults at every call of AWS. */
function recipeParts(route: Route): MissingPart[] {
  const { id, resource } = route;
  const file = recipeFiles[resource] ?? "test/faults/drop-recipes.ts";
  if (!asksAws(route) || isAgentsRead(route) || new RegExp(`^  "${id}": `, "m").test(source.read(file)))
    return [];
  const text = `  "${id}": [{ prepare: async (world) => ({ call: { token: world.token, … }, expectVisible: … }) }],`;
  return [
    { id, file, line: afterHead(file, camelCase(file.split("/").at(-1)?.replace(".ts", "") ?? "")), text },
  ];
}

const ingestFile = "functions/ingest/operations.ts";
const mcpFile = "functions/mcp/operations.ts";

/** Missing imports of the handler where operations are also performed. Rows may not import handlers. */
function performerParts(row: FoundRow): MissingPart[] {
  const { route } = row;
  const { id } = route;
  const { file, exportName } = handlerOf(row);
  const importing = `import { ${exportName} } from "${file.replace("functions/", "../")}";`;
  // What is otherwise as a tool has an operation of its own, by the same right: functions/drops/read-drop.ts, functions/renders/see-drop.ts, functions/feedback/list-feedback-tool.ts.
  const isOwn = [readHtmlRoute.id, getRenderRoute.id, listFeedbackRoute.id].some((own) => own === id);
  const isTool = !isOwn && mcpTools.some(({ operation }) => operation === id);
  return [
    ...(takesLargeBody(route)
      ? [
          { file: ingestFile, kind: /^import /, text: importing },
          { file: ingestFile, kind: /^ {4}[a-z]\w+,$/, text: `    ${exportName},` },
        ]
      : []),
    ...(isTool
      ? [
          { file: mcpFile, kind: /^import /, text: importing },
          { file: mcpFile, kind: /^ {2}"[\w-]+": \w+,$/, text: `  "${id}": ${exportName},` },
        ]
      : []),
  ].flatMap(({ file, kind, text }) =>
    source.read(file).split("\n").includes(text)
      ? []
      : [{ id, file, line: source.lineAfter(file, kind), text }],
  );
}

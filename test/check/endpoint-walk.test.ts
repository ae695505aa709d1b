// @module-tag slow

import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { operationIds } from "../../functions/routes.ts";

const root = join(import.meta.dirname, "../..");
const notCopied = ["node_modules", "cdk.out", ".dropleaf", ".git", "docs/screenshots", "dist"];
const guide = readFileSync(join(root, "docs/adding-an-endpoint.md"), "utf8");
const [row = "", schemas = "", toldParts = "", handler = "", example = "", serviceTest = ""] = [
  ...guide.matchAll(/```(?:ts|text)\n([\s\S]*?)```/g),
].map(([, block]) => block ?? "");

let copy: string;
beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), "dropleaf-walk-"));
  cpSync(root, copy, {
    recursive: true,
    filter: (path) => !notCopied.includes(path.slice(root.length + 1)),
  });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
});
afterEach(() => rmSync(copy, { recursive: true }));

test("the example of docs/adding-an-endpoint.md does not exist yet (choose another if it does)", () => {
  const [, id] = /id: "([a-z-]+)"/.exec(row) ?? [];

  expect(id).toBeDefined();
  expect(operationIds).not.toContain(id);
});

test("the steps of docs/adding-an-endpoint.md add an endpoint with its row, handler, example and test", {
  tags: "nightly",
}, () => {
  addRow("functions/account/rows.ts", row);
  edit("functions/account/rows.ts", (text) => `${schemas}${text}`);
  run("biome", "check", "--write", "--vcs-enabled=false", "functions/account/rows.ts");

  const missing = check();

  expect(withoutLines(missing.said)).toBe(withoutLines(toldParts));
  const [table, ownHandler, ownExample, ownTest] = missing.parts;
  write([table]);
  write([{ ...ownHandler, text: handler }]);
  write([{ ...ownExample, text: example }]);
  write([{ ...ownTest, text: serviceTest }]);
  expect(check()).toEqual({ said: "", parts: [], status: 0 });
  const written = [table, ownHandler, ownExample, ownTest].map(({ file }) => file);
  run("biome", "check", "--vcs-enabled=false", "functions/account/rows.ts", ...written);
  run("tsc", "--noEmit");
  // The copy's service runs the new test, and the tests of every operation run for the new one. The common refusals and the write limit are
  // derived from the row.
  run(
    "vitest",
    "run",
    "--project=unit",
    "--project=service",
    "-t",
    "get-token|every row|read by its id",
    "test/contract/specification-endpoints.test.ts",
    "test/discovery/openapi.test.ts",
    "test/service/get-token.test.ts",
    "test/service/openapi.test.ts",
  );
});

test("all missing parts of a new operation are reported together, and adding them completes it", {
  tags: "nightly",
}, () => {
  addRow("functions/drops/version-rows.ts", copyDropRow("body: { json: copyDropBody, required: true },"));
  edit("functions/drops/version-rows.ts", (text) => `${importsOfRow}${text}`);
  edit("functions/drops/mcp-tools.ts", (text) =>
    text.replace(
      "export const tools = [",
      '$&\n  { name: "copy_drop", operation: "copy-drop", description: "Copy." },',
    ),
  );

  const missing = check();

  expect(missing.status).toBe(1);
  const texts = (file: string) => missing.parts.filter((part) => part.file === file).map(({ text }) => text);
  expect(texts("functions/routes.ts")).toEqual(['  "copy-drop": versions.copyDropRoute,\n']);
  expect(texts("functions/drops/version-rows.ts")).toEqual([expect.stringMatching(/^ {2}addition: /)]);
  expect(texts("functions/drops/copy-drop.ts")).toEqual([
    expect.stringContaining("export const copyDrop = "),
  ]);
  const [example, copy, fast, ...fields] = texts("functions/drops/openapi.ts");
  expect(example).toBe(
    '    "copy-drop": { body: { as: "…", from: { n: 1 } }, response: { copied: "…" } },\n',
  );
  expect(copy).toBe('  copy: { schema: { type: "string" }, description: "….", example: "…" },\n');
  expect(fast).toBe('  fast: { description: "….", example: "…" },\n');
  expect(fields.map((text) => text.split(":")[0])).toEqual([
    "  CopyDrop",
    '  "CopyDrop.as"',
    '  "CopyDrop.from"',
    '  "CopyDrop.from.n"',
    "  CopyDropResponse",
    '  "CopyDropResponse.copied"',
  ]);
  expect(texts("test/service/copy-drop.test.ts")).toEqual([expect.stringContaining('"copy-drop"')]);
  expect(texts("test/operator/audit.test.ts")).toEqual([
    '    { action: "copy-drop", ...own, … }, // and its call above\n',
  ]);
  expect(texts("test/faults/drop-recipes.ts")).toEqual([expect.stringMatching(/^ {2}"copy-drop": \[/)]);
  expect(texts("functions/ingest/operations.ts")).toEqual([
    'import { copyDrop } from "../drops/copy-drop.ts";\n',
    "    copyDrop,\n",
  ]);
  expect(texts("functions/mcp/tool-rows.ts")).toEqual(['  "copy-drop": versions.copyDropRoute,\n']);
  write(missing.parts);
  expect(check()).toEqual({ said: "", parts: [], status: 0 });
});

test("the missing openapi.ts of a new feature is reported with its records and imports", {
  tags: "nightly",
}, () => {
  mkdirSync(join(copy, "functions/copies"));
  writeFileSync(
    join(copy, "functions/copies/rows.ts"),
    `${importsOfRow}import { apiRow } from "../http/route.ts";\n${copyDropRow('addition: "docs/adr/…",')}`,
  );

  const missing = check();

  const texts = (file: string) => missing.parts.filter((part) => part.file === file).map(({ text }) => text);
  expect(texts("functions/copies/openapi.ts").map((text) => text.split("\n")[0])).toEqual([
    "export const examples = () => ({",
    "export const pathParameters = {",
    "export const queryParameters = {",
    "export const fields = {",
  ]);
  expect(texts("functions/discovery/openapi/features.ts")).toEqual([
    'import * as copies from "../../copies/openapi.ts";\n',
    "  copies,\n",
  ]);
  write(missing.parts);
  expect(check()).toEqual({ said: "", parts: [], status: 0 });
});

const importsOfRow = `import * as z from "zod/mini";\nimport { accepts, schema } from "../http/schemas.ts";\n`;

/** Returns the source of a row whose handler, example, fields and tests are missing. */
const copyDropRow = (more: string) => `
const copyDropBody = schema(() => z.object({ as: z.string(), from: z.optional(z.object({ n: z.int() })) }));

export const copyDropRoute = apiRow("POST /api/drops/{slug}/copies/{copy}", {
  id: "copy-drop",
  resource: "drops",
  summary: "A copy",
  query: accepts(z.object({}), { type: "object", properties: { fast: { type: "string" } }, required: [] }),
  ${more}
  response: { status: 201, json: schema(() => z.object({ copied: z.string() })) },
  grants: { table: { actions: ["PutItem"], items: ["USER"] }, audit: true },
});
`;

interface Part {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** Runs the endpoint check of `npm run check` in the copy. */
function check(): { said: string; parts: [Part, Part, Part, Part, ...Part[]]; status: number | null } {
  const { stderr, status } = spawnSync(process.execPath, ["--import", "tsx", "scripts/check/endpoints.ts"], {
    cwd: copy,
    encoding: "utf8",
  });
  const [, ...rest] = stderr.split(/^([\w./-]+\.ts):(\d+)\n/m);
  const parts = Array.from({ length: rest.length / 3 }, (_, index): Part => {
    const [file = "", line = "", text = ""] = rest.slice(index * 3, index * 3 + 3);
    return { file, line: Number(line), text: `${text.trimEnd()}\n` };
  });
  return {
    said: stderr.trim() === "" ? "" : `${stderr.trim()}\n`,
    parts: parts as [Part, Part, Part, Part],
    status,
  };
}

/** Removes line numbers, which change after the guide was written. */
function withoutLines(said: string): string {
  return said.replace(/^([\w./-]+\.ts):\d+$/gm, "$1");
}

/** Inserts each text at its line, from the end of each file, so that earlier line numbers stay correct. */
function write(parts: readonly Part[]): void {
  for (const { file, line, text } of parts.toSorted((one, other) => other.line - one.line)) {
    const path = join(copy, file);
    const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
    lines.splice(line - 1, 0, ...text.replace(/\n$/, "").split("\n"));
    writeFileSync(path, lines.length > text.split("\n").length ? lines.join("\n") : text);
  }
}

function addRow(file: string, text: string): void {
  edit(file, (before) => `${before}\n${text.trimStart()}`);
}

function edit(file: string, change: (text: string) => string): void {
  const before = readFileSync(join(copy, file), "utf8");
  const after = change(before);
  expect(after).not.toBe(before);
  writeFileSync(join(copy, file), after);
}

function run(command: string, ...args: readonly string[]): void {
  // Vitest sets variables for its tests, such as a service's URL, which the copy's tests must not inherit.
  const { BASE_URL: _, VITEST: __, NODE_OPTIONS: ___, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(join(root, "node_modules/.bin", command), args, {
    cwd: copy,
    encoding: "utf8",
    env,
  });
  expect(status, `${command} ${args.join(" ")}\n${stdout}${stderr}`).toBe(0);
}

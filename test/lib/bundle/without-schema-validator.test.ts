import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundleFunctions } from "../../../lib/bundle/bundle.ts";
import { handlerSource } from "../../../lib/bundle/function-source.ts";
import { DefaultJsonSchemaValidator } from "../../../lib/bundle/without-schema-validator.ts";

test("the MCP server's bundle has no validator of JSON Schema", async () => {
  const directory = mkdtempSync(join(tmpdir(), "dropleaf-bundle-"));

  const { metafile } = await bundleFunctions([handlerSource("call-mcp")], directory);

  rmSync(directory, { recursive: true });
  const inputs = Object.keys(metafile.inputs);
  expect(inputs).toContain("lib/bundle/without-schema-validator.ts");
  expect(inputs.filter((path) => /ajv|cfWorker|fast-uri/i.test(path))).toEqual([]);
});

test("the validator's replacement throws an error that names its file", () => {
  expect(() => new DefaultJsonSchemaValidator()).toThrow("lib/bundle/without-schema-validator.ts");
});

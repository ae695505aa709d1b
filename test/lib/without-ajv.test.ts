import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundleFunctions } from "../../lib/bundle.ts";
import { handlerSource } from "../../lib/function-source.ts";
import withoutAjv from "../../lib/without-ajv.ts";

test("the MCP server's bundle has no validator of JSON Schema", async () => {
  const directory = mkdtempSync(join(tmpdir(), "dropleaf-bundle-"));

  const { metafile } = await bundleFunctions([handlerSource("call-mcp")], directory);

  rmSync(directory, { recursive: true });
  const inputs = Object.keys(metafile.inputs);
  expect(inputs).toContain("lib/without-ajv.ts");
  expect(inputs.filter((path) => /node_modules\/(ajv|ajv-formats|fast-uri)\//.test(path))).toEqual([]);
});

test("what stands in for it says so to whoever uses it all the same", () => {
  expect(withoutAjv).toThrow("lib/without-ajv.ts");
});

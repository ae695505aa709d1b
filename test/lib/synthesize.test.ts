// @module-tag slow

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { drawPageSource, functionSources } from "../../lib/bundle/function-source.ts";
import { synthesize } from "../../lib/synthesize.ts";
import { runCommand } from "../support/run-command.ts";

interface SynthesizedFunction {
  readonly Type: string;
  readonly Properties: { readonly Handler?: string };
  readonly Metadata?: { readonly "aws:asset:path"?: string };
}

const directory = mkdtempSync(join(tmpdir(), "dropleaf-synthesize-"));
let functions: SynthesizedFunction[] = [];

beforeAll(async () => {
  // every-setting.test.ts checks the template itself. Cached bundles are the same as those of a deployment.
  const settings = {
    administrators: ["group:platform"],
    slack: true,
    webhooks: [{ url: "https://hooks.example.com/" }],
  };
  await synthesize(settings, directory, { isChecked: false });
  const template = JSON.parse(readFileSync(join(directory, "Dropleaf.template.json"), "utf8"));
  const resources = Object.values(template.Resources) as SynthesizedFunction[];
  functions = resources.filter(
    // The CDK's own functions, which copy code, have this handler.
    ({ Type, Properties }) => Type === "AWS::Lambda::Function" && Properties.Handler !== "index.handler",
  );
});
afterAll(() => rmSync(directory, { recursive: true }));

describe("synthesis with the settings that add functions", () => {
  test("writes a template that names each function's code folder", () => {
    expect(functions).toHaveLength(functionSources.length + [drawPageSource].length);
    for (const { Metadata } of functions) {
      expect(existsSync(join(directory, Metadata?.["aws:asset:path"] ?? "", "index.mjs"))).toBe(true);
    }
  });

  test("bundles code that loads without node_modules", async () => {
    // All functions are bundled in the same way, and loading all would take seconds.
    const loaded = functionSources.filter((_, index) => index % 6 === 0);
    const wanted = loaded.map(({ exportName }) => {
      const found = functions.find(({ Properties }) => Properties.Handler === `index.${exportName}`);
      return [join(directory, found?.Metadata?.["aws:asset:path"] ?? "", "index.mjs"), exportName];
    });
    // A separate process has none of the tests' modules.
    const program = `
      const found = ${JSON.stringify(wanted)}.map(async ([file, name]) => [name, typeof (await import(file))[name]]);
      process.stdout.write(JSON.stringify(await Promise.all(found)));`;

    const { exitCode, stdout, stderr } = await runCommand(
      [process.execPath, "--input-type=module", "--eval", program],
      { directory },
    );

    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toEqual(loaded.map(({ exportName }) => [exportName, "function"]));
  });

  test("refuses invalid settings before anything is written", async () => {
    const untouched = join(directory, "untouched");

    await expect(synthesize({ stackName: "1" }, untouched)).rejects.toThrow(/stackName is "1": use a letter/);
    expect(existsSync(untouched)).toBe(false);
  });
});

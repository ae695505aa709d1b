import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { synthesize } from "../../lib/synthesize.ts";
import { longMs } from "../support/patience.ts";
import { slowAndNightly } from "../support/quick-and-slow.ts";
import { settingsOfEachKind } from "./settings-of-each-kind.ts";
import { templateFindings } from "./template-findings.ts";

const directory = mkdtempSync(join(tmpdir(), "dropleaf-every-setting-"));
afterAll(() => rmSync(directory, { recursive: true }));

/** A limit well below the 250 MB of the AWS Lambda developer guide, "Lambda quotas". */
const unzippedBytesMax = 200_000_000;

/** Returns the bytes of each folder that is zipped for a function. */
function zippedBytesIn(output: string): number[] {
  const [assets = ""] = readdirSync(output).filter((name) => name.endsWith(".assets.json"));
  const { files } = JSON.parse(readFileSync(join(output, assets), "utf8"));
  const folders = Object.values<{ source: { packaging: string; path: string } }>(files)
    .filter(({ source }) => source.packaging === "zip")
    .map(({ source }) => join(output, source.path));
  expect(folders.length).toBeGreaterThan(0);
  return folders.map((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, { name, parentPath }) => sum + statSync(join(parentPath, name)).size, 0),
  );
}

/** Settings that cover most of the stack and reach the limits of a template. These run every time. */
const everyRun = ["no setting", "all production features", "the maximum number of resources"];

for (const { cases, options } of slowAndNightly(settingsOfEachKind, ([what]) => everyRun.includes(what)))
  test.each(cases)(
    "with %s, the stack passes CloudFormation's schemas and rules",
    { ...options, timeout: longMs },
    async (what, settings) => {
      const output = join(directory, what.replaceAll(" ", "-"));

      // The functions' code does not depend on the settings. `synthesize.test.ts` tests the bundles.
      await synthesize(settings, output, { isChecked: true });

      const report = JSON.parse(readFileSync(join(output, "validation-report.json"), "utf8"));
      expect(report.pluginReports).toEqual([]);
      const template = readFileSync(
        join(output, `${settings.stackName ?? "Dropleaf"}.template.json`),
        "utf8",
      );
      expect(templateFindings(JSON.parse(template), settings.region)).toEqual([]);
      for (const bytes of zippedBytesIn(output)) expect(bytes).toBeLessThan(unzippedBytesMax);
      // A lookup during synthesis would depend on the account and the time.
      const manifest = JSON.parse(readFileSync(join(output, "manifest.json"), "utf8"));
      expect(manifest.missing).toBeUndefined();
    },
  );

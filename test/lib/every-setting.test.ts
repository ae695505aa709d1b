// @module-tag slow

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { synthesize } from "../../lib/synthesize.ts";
import { longMs } from "../support/patience.ts";
import { settingsOfEachKind } from "./settings-of-each-kind.ts";

const directory = mkdtempSync(join(tmpdir(), "dropleaf-every-setting-"));
afterAll(() => rmSync(directory, { recursive: true }));

test.each(settingsOfEachKind)(
  "with %s, the stack is one that CloudFormation's schemas and rules have nothing to say against",
  async (what, settings) => {
    const output = join(directory, what.replaceAll(" ", "-"));

    // The functions' code is the same whatever the settings are: `synthesize.test.ts` has it bundled afresh.
    await synthesize(settings, output, { isChecked: true });

    const report = JSON.parse(readFileSync(join(output, "validation-report.json"), "utf8"));
    expect(report.pluginReports).toEqual([]);
    expect(existsSync(join(output, `${settings.stackName ?? "Dropleaf"}.template.json`))).toBe(true);
    // What is looked up depends on who looks, and on when.
    const manifest = JSON.parse(readFileSync(join(output, "manifest.json"), "utf8"));
    expect(manifest.missing).toBeUndefined();
  },
  longMs,
);

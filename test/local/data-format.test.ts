import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { dataFormat, serviceVersion } from "../../lib/service-version.ts";
import { requireKnownDataFormat, storeDataFormat } from "../../local/data-format.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "dropleaf-data-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

test("a new data folder, one of version 0.1.0 and one of this version can be opened", () => {
  requireKnownDataFormat(directory);
  writeFileSync(join(directory, "parameters.json"), "[]");
  requireKnownDataFormat(directory);
  storeDataFormat(directory);

  expect(() => requireKnownDataFormat(directory)).not.toThrow();
});

test("a data folder of a later format is refused", () => {
  const stored = { dataFormat: dataFormat + 1, version: "7.0.0" };
  writeFileSync(join(directory, "data-format.json"), JSON.stringify(stored));

  expect(() => requireKnownDataFormat(directory)).toThrow(
    `The data folder ${directory} has data format ${dataFormat + 1}, written by version 7.0.0. Version ${serviceVersion} reads up to format ${dataFormat}. Start version 7.0.0 or later, or choose another folder with DATA_DIR.`,
  );
});

test("version 0.1.0, which knows no data formats, fails to read a data folder of this version", () => {
  storeDataFormat(directory);

  const text = readFileSync(join(directory, "parameters.json"), "utf8");

  expect(() => JSON.parse(text)).toThrow("Too new fo");
});

// @module-tag slow

import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleFunctions } from "../../../lib/bundle/bundle.ts";
import { everySource, ingestSource } from "../../../lib/bundle/function-source.ts";

let directory = "";
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "dropleaf-bundles-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

/** Imports modules one after the other, and prints those that do not export their function. */
const program = `
  const without = [];
  for (const { module, exportName } of JSON.parse(process.argv[1])) {
    const exported = await import(module);
    if (typeof exported[exportName] !== "function") without.push(exportName);
  }
  process.stdout.write(JSON.stringify(without), () => process.exit());`;

const environment = {
  AWS_LAMBDA_FUNCTION_NAME: "imported",
  AWS_REGION: "us-east-1",
  AWS_ACCESS_KEY_ID: "key",
  AWS_SECRET_ACCESS_KEY: "secret",
  // Not TLS: no connection is opened for later.
  AWS_ENDPOINT_URL: "http://127.0.0.1:1",
};

test("every function is bundled as for a deployment, and its bundle can be loaded and exports its handler", async () => {
  const bundles = await bundleFunctions(everySource, directory, { commit: "0".repeat(40) });
  // The server for large bodies listens when it is loaded: test/ingest.
  const modules = everySource
    .filter((source) => source !== ingestSource)
    .map(({ id, exportName }) => ({
      module: pathToFileURL(join(bundles.directory, id, "index.mjs")).href,
      exportName,
    }));

  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--input-type=module", "-e", program, JSON.stringify(modules)],
    { env: environment },
  );

  expect(modules).not.toEqual([]);
  expect(JSON.parse(stdout)).toEqual([]);
});

// @module-tag slow

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { findFreePort } from "../src/free-port.ts";

const directory = join(import.meta.dirname, "..");
const program = join(directory, "examples/counter/run.ts");

test("the README shows the program of the example", () => {
  const readme = readFileSync(join(directory, "README.md"), "utf8");

  expect(readme).toContain(`\`\`\`ts\n${readFileSync(program, "utf8")}\`\`\``);
});

test("the example runs a CDK stack with a table, a function, an API and a distribution", {
  tags: "nightly",
}, async () => {
  const env = { PATH: process.env.PATH ?? "", PORT: String(await findFreePort()) };

  const { stdout } = await promisify(execFile)(process.execPath, [program], { env });

  expect(stdout).toMatch(/^POST localhost:\d+\/visits 200 \d+ ms CountVisit miss$/m);
  expect(stdout).toMatch(/^\{"visits":1\}$/m);
});

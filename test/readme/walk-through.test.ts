import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { baseUrl } from "../support/http.ts";
import { readWalkThrough } from "../support/walk-through.ts";

const run = promisify(execFile);
const documentedBase = "BASE=http://localhost:8787";
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "dropleaf-walk-through-"));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

test("the walk-through of the examples runs as written, and each command succeeds", async () => {
  const documented = readWalkThrough();
  expect(documented.split("\n")[0]).toBe(documentedBase);
  const commands = documented.replace(documentedBase, `BASE=${baseUrl()}`);

  // `-v` prints each line before it runs, so that a failure shows the line. Without `--norc`, bash may take Node's
  // pipe for a network connection and read the machine's settings.
  const { stdout, stderr } = await run(
    "bash",
    ["--norc", "-e", "-u", "-v", "-o", "pipefail", "-c", commands],
    { cwd: directory },
  );

  expect(stdout, stderr).not.toMatch(/"error":/);
  expect(stdout, stderr).toMatch(/"latest_version":/);
});

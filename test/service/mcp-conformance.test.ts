// @module-tag slow

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { callMcpRoute } from "../../functions/mcp/rows.ts";
import { baseUrl } from "../support/http.ts";
import { runCommand } from "../support/run-command.ts";

const program = resolve("node_modules/@modelcontextprotocol/conformance/dist/index.js");

/** Those that need no tools, resources or prompts of a test server's; the last is about servers of this machine alone. */
const scenarios = [
  "server-initialize",
  "ping",
  "tools-list",
  ...(new URL(baseUrl()).hostname === "localhost" ? ["dns-rebinding-protection"] : []),
];

test.concurrent.each(scenarios)("the protocol's own judge finds nothing wrong: %s", async (scenario) => {
  const directory = mkdtempSync(join(tmpdir(), "dropleaf-conformance-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const url = baseUrl() + callMcpRoute.path;

  const { exitCode, stdout, stderr } = await runCommand(
    ["node", program, "server", "--url", url, "--scenario", scenario],
    { directory },
  );

  expect(stdout + stderr).toMatch(/Passed: ([1-9]\d*)\/\1, 0 failed/);
  expect(exitCode).toBe(0);
});

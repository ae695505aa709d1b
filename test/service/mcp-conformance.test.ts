// @module-tag slow

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { callMcpRoute } from "../../functions/mcp/rows.ts";
import { baseUrl } from "../support/http.ts";
import { runCommand } from "../support/run-command.ts";

const program = resolve("node_modules/@modelcontextprotocol/conformance/dist/index.js");

const earlier = "2025-11-25";
const current = "2026-07-28";

/** Scenarios for both revisions. The last one applies only to servers on this machine. */
const scenariosOfBoth = [
  "tools-list",
  "resources-list",
  "sep-2640-skills-enumeration",
  "sep-2640-skills-manifest",
  ...(new URL(baseUrl()).hostname === "localhost" ? ["dns-rebinding-protection"] : []),
];

/**
 * Scenarios by revision. The omitted scenarios need tools, prompts and resources of the suite's own server: `caching` needs prompts,
 * `server-stateless` and `http-header-validation` need tools without an account, `sep-2640-skills-directory` needs a skill with folders.
 */
const scenarios: readonly (readonly [scenario: string, revision: string])[] = [
  ["server-initialize", earlier],
  ["ping", earlier],
  ["sep-2164-resource-not-found", current],
  ...scenariosOfBoth.map((scenario) => [scenario, earlier] as const),
  ...scenariosOfBoth.map((scenario) => [scenario, current] as const),
];

test.concurrent.each(scenarios)(
  "the protocol's conformance suite passes: %s, %s",
  async (scenario, revision) => {
    const directory = mkdtempSync(join(tmpdir(), "dropleaf-conformance-"));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const url = baseUrl() + callMcpRoute.path;

    const { exitCode, stdout, stderr } = await runCommand(
      // Scenarios of extensions belong to no revision, so they need --force.
      [
        "node",
        program,
        "server",
        "--url",
        url,
        "--scenario",
        scenario,
        "--spec-version",
        revision,
        "--force",
      ],
      { directory },
    );

    expect(stdout + stderr).toMatch(/Passed: ([1-9]\d*)\/\1, 0 failed/);
    expect(exitCode).toBe(0);
  },
);

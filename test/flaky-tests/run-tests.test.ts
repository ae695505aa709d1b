// @module-tag nightly

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { projectDirectory } from "../../lib/project-directory.ts";
import { runCommand } from "../support/run-command.ts";

/** A module with which tests detect whether they run for the first time. */
const firstRun = `
  import { appendFileSync, existsSync, readFileSync } from "node:fs";
  export { afterAll, beforeAll, describe, expect, test } from "vitest";
  export function isFirstRun(name) {
    const isFirst = !existsSync(name);
    appendFileSync(name, "run");
    return isFirst;
  }
`;

const passing = `import { test } from "vitest"; test("passes", () => {});`;

const unlucky = `
  import { expect, isFirstRun, test } from "./first-run.ts";
  test("is unlucky", () => expect(isFirstRun("unlucky")).toBe(false));
`;

test("a test that passes in the second run counts as passed, and is listed with its file and blocks", async () => {
  const imported = `import { afterAll, beforeAll, describe, expect, isFirstRun, test } from "./first-run.ts";`;
  const run = await runTests({
    "test/passing.test.ts": passing,
    "test/block-hook.test.ts": `${imported}
      describe("a page", () => {
        afterAll(() => expect(isFirstRun("block hook")).toBe(false));
        test("passes", () => {});
      });
    `,
    "test/hook.test.ts": `${imported}
      beforeAll(() => expect(isFirstRun("hook")).toBe(false));
      test("passes", () => {});
    `,
    "test/import.test.ts": `${imported}
      if (isFirstRun("import")) throw new Error();
      test("passes", () => {});
    `,
    "test/unlucky.test.ts": `${imported}
      describe("a page", () => {
        describe("of a list", () => test("has rows", () => expect(isFirstRun("unlucky")).toBe(false)));
        test("has a title", () => {});
      });
      test("is small", () => expect(isFirstRun("small")).toBe(false));
    `,
  });

  expect(run.exitCode).toBe(0);
  expect(run.lastLines.toSorted()).toEqual([
    "Flaky tests: 5",
    "flaky: test/block-hook.test.ts > a page",
    "flaky: test/hook.test.ts",
    "flaky: test/import.test.ts",
    "flaky: test/unlucky.test.ts > a page > of a list > has rows",
    "flaky: test/unlucky.test.ts > is small",
  ]);
  expect(run.lastLines.at(-1)).toBe("Flaky tests: 5");
  expect(run.stdout.match(/Test Files .*/g)).toEqual([
    "Test Files  4 failed | 1 passed (5)",
    "Test Files  4 passed (4)",
  ]);
});

test("a run without failed tests prints only Vitest's output", async () => {
  const run = await runTests({ "test/passing.test.ts": passing });

  expect(run.exitCode).toBe(0);
  expect(run.stdout.match(/Tests .*/g)).toEqual(["Tests  1 passed (1)"]);
  expect(run.lastLines).toEqual([]);
});

test("a test, a hook and an import that fail twice fail the run, and a flaky test among them is listed", async () => {
  const run = await runTests({
    "test/hook.test.ts": `
      import { beforeAll, test } from "vitest";
      beforeAll(() => { throw new Error(); });
      test("passes", () => {});
    `,
    "test/import.test.ts": `import "./absent.ts"; ${passing}`,
    "test/unlucky.test.ts": unlucky,
    "test/wrong.test.ts": `import { expect, test } from "vitest"; test("is wrong", () => expect(1).toBe(2));`,
  });

  expect(run.exitCode).toBe(1);
  expect(run.lastLines).toEqual(["flaky: test/unlucky.test.ts > is unlucky", "Flaky tests: 1"]);
  const [, twice = ""] = run.stderr.split("Failed alone, too:\n");
  expect(twice.trimEnd().split("\n").toSorted()).toEqual([
    "test/hook.test.ts",
    "test/import.test.ts",
    "test/wrong.test.ts > is wrong",
  ]);
});

test("a test that fails only in the second run fails the run", async () => {
  const run = await runTests({
    "test/pair.test.ts": `
      import { expect, isFirstRun, test } from "./first-run.ts";
      test("fails first", () => expect(isFirstRun("first")).toBe(false));
      test("fails later", () => expect(isFirstRun("later")).toBe(true));
    `,
  });

  expect(run.exitCode).toBe(1);
  expect(run.stderr).toContain("Other tests in these files failed in the second run.");
});

test("a failed test that is missing in the second run fails the run", async () => {
  const run = await runTests({
    "test/random.test.ts": `
      import { expect, isFirstRun, test } from "./first-run.ts";
      const isFirst = isFirstRun("random");
      test(isFirst ? "one seed" : "another seed", () => expect(isFirst).toBe(false));
    `,
  });

  expect(run.exitCode).toBe(1);
  expect(run.stderr).toContain("Failed alone, too:\ntest/random.test.ts > one seed\n");
});

const unhandled = `
  import { isFirstRun, test } from "./first-run.ts";
  test("passes", async () => {
    if (isFirstRun("rejects")) Promise.reject(new Error("unhandled"));
    await new Promise((resolve) => setImmediate(resolve));
  });
`;

test.each([
  ["has an unhandled rejection", { "test/rejects.test.ts": unhandled }],
  [
    "has an unhandled rejection beside a flaky test",
    {
      "test/rejects.test.ts": unhandled,
      "test/unlucky.test.ts": unlucky,
    },
  ],
  [
    "loses a test process",
    {
      "test/killed.test.ts": `
        import { isFirstRun, test } from "./first-run.ts";
        test("passes", () => { if (isFirstRun("killed")) process.kill(process.pid, "SIGKILL"); });
      `,
    },
  ],
  [
    "is killed",
    {
      "test/killing.test.ts": `
        import { isFirstRun, test } from "./first-run.ts";
        test("passes", () => { if (isFirstRun("killing")) process.kill(process.ppid, "SIGKILL"); });
      `,
    },
  ],
])("a run that %s fails, and is not repeated", async (_, files) => {
  const run = await runTests({ ...files, "test/passing.test.ts": passing });

  expect(run.exitCode).toBe(1);
  expect(run.stderr).toContain("The run ended early, or with an error outside its tests.");
  expect(run.stdout).not.toContain("run again");
});

test("failed files are run again one at a time", async () => {
  const content = (name: string) => `
    import { existsSync, rmSync, writeFileSync } from "node:fs";
    import { expect, isFirstRun, test } from "./first-run.ts";
    test("runs alone", async () => {
      expect(isFirstRun("${name}")).toBe(false);
      expect(existsSync("running")).toBe(false);
      writeFileSync("running", "");
      await new Promise((resolve) => setTimeout(resolve, 300));
      rmSync("running");
    });
  `;
  const names = ["a", "b", "c", "d"];

  const run = await runTests(
    Object.fromEntries(names.map((name) => [`test/${name}.test.ts`, content(name)])),
  );

  expect(run.exitCode).toBe(0);
  expect(run.lastLines.at(-1)).toBe("Flaky tests: 4");
});

/** Runs the tests of a project that contains only these files. */
async function runTests(files: Readonly<Record<string, string>>) {
  const directory = mkdtempSync(join(tmpdir(), "dropleaf-flaky-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  symlinkSync(join(projectDirectory, "node_modules"), join(directory, "node_modules"));
  const content = {
    "package.json": JSON.stringify({ type: "module", scripts: { "test:slow": "vitest run" } }),
    "vitest.config.ts": `export default { test: { maxWorkers: 3 } };`,
    "test/first-run.ts": firstRun,
    ...files,
  };
  for (const [path, text] of Object.entries(content)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  const script = join(projectDirectory, "scripts/flaky-tests/run-tests.ts");
  const command = [process.execPath, "--import", "tsx", script, "test:slow"] as const;
  const result = await runCommand(command, { directory, environment: { NO_COLOR: "1" } });
  const lines = result.stdout.trimEnd().split("\n");
  const from = lines.findIndex((line) => /^flaky: |^Flaky tests: /.test(line));
  return { ...result, lastLines: from === -1 ? [] : lines.slice(from) };
}

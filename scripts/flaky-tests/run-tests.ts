/**
 * `node --import tsx scripts/flaky-tests/run-tests.ts test:slow` runs the tests of the npm script `test:slow`, and runs failed files once
 * more. Prints tests that pass the second time as flaky. The run fails if a test fails twice, or if Vitest ends before all tests have run.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configDefaults } from "vitest/config";
import { outcomeFileVariable, type RunOutcome } from "./outcome-reporter.ts";

const [script = ""] = process.argv.slice(2);
process.exitCode = runTwice() ? 0 : 1;

function runTwice(): boolean {
  const first = runOnce([]);
  if (!first.outcome?.isWhole) return refuse("The run ended early, or with an error outside its tests.");
  if (first.hasPassed) return true;
  const failed = first.outcome.outcomes.filter(({ state }) => state === "failed");
  if (failed.length === 0) return refuse("The run failed, but no test failed.");
  const files = [...new Set(failed.map(({ file }) => file))];
  console.log(`\nFailed test files, which now run again one by one: ${files.length}`);

  const second = runOnce(["--no-file-parallelism", ...files]);

  const passedNames = new Set(
    second.outcome?.outcomes.filter(({ state }) => state === "passed").map(({ name }) => name),
  );
  const flaky = failed.filter(({ name }) => passedNames.has(name));
  const twice = failed.filter(({ name }) => !passedNames.has(name));
  console.log([...flaky.map(({ name }) => `flaky: ${name}`), `Flaky tests: ${flaky.length}`].join("\n"));
  if (twice.length > 0) return refuse(["Failed alone, too:", ...twice.map(({ name }) => name)].join("\n"));
  if (!second.hasPassed || !second.outcome?.isWhole)
    return refuse("Other tests in these files failed in the second run.");
  return true;
}

/** Runs the npm script. `outcome` is undefined if Vitest ended without writing one. */
function runOnce(args: readonly string[]) {
  const directory = mkdtempSync(join(tmpdir(), "dropleaf-test-outcome-"));
  try {
    const file = join(directory, "outcome.json");
    const reporters = [...configDefaults.reporters, join(import.meta.dirname, "outcome-reporter.ts")];
    const options = reporters.map((reporter) => `--reporter=${reporter}`);
    const { status } = spawnSync("npm", ["run", script, "--", ...options, ...args], {
      stdio: "inherit",
      env: { ...process.env, [outcomeFileVariable]: file },
    });
    const outcome = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as RunOutcome) : undefined;
    return { hasPassed: status === 0, outcome };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function refuse(problem: string): false {
  console.error(`\n${problem}`);
  return false;
}

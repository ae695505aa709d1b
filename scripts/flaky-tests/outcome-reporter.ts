import { writeFileSync } from "node:fs";
import type { Reporter, TestModule, TestRunEndReason } from "vitest/node";

/** Result of a test, of a `describe` block's hooks, or of a file (its imports, and hooks outside of `describe`). */
interface Outcome {
  /** Path of the file, relative to the run's folder, then the titles of blocks and test, joined by " > ". */
  readonly name: string;
  /** Absolute path of the file. */
  readonly file: string;
  /** `failed`: the item itself failed. `unclear`: a skipped test, or a file or block that contains a failed test. */
  readonly state: "passed" | "failed" | "unclear";
}

/** Outcome of a run of Vitest. */
export interface RunOutcome {
  /** True if every file ended, the run was not interrupted, and every error belongs to a test, a block or a file. */
  readonly isWhole: boolean;
  readonly outcomes: readonly Outcome[];
}

/** Environment variable with the path of the file that the reporter writes. */
export const outcomeFileVariable = "DROPLEAF_TEST_OUTCOME";

/** Writes a run's outcome as JSON. Vitest's JSON reporter omits unhandled errors, and blocks with failed hooks. */
class OutcomeReporter implements Reporter {
  onTestRunEnd(
    modules: readonly TestModule[],
    unhandledErrors: readonly unknown[],
    reason: TestRunEndReason,
  ): void {
    const outcome: RunOutcome = {
      isWhole: reason !== "interrupted" && unhandledErrors.length === 0 && modules.every(hasEnded),
      outcomes: modules.flatMap(listOutcomes),
    };
    writeFileSync(process.env[outcomeFileVariable] as string, JSON.stringify(outcome));
  }
}

// biome-ignore lint/style/noDefaultExport: Vitest loads the reporter that --reporter names.
export default OutcomeReporter;

function hasEnded(module: TestModule): boolean {
  const isEnd = (state: string) => !["pending", "queued"].includes(state);
  return isEnd(module.state()) && [...module.children.allTests()].every((test) => isEnd(test.result().state));
}

function listOutcomes(module: TestModule): Outcome[] {
  const toOutcome = (titles: readonly string[], state: string, errorCount: number): Outcome => ({
    name: [module.relativeModuleId, ...titles].join(" > "),
    file: module.moduleId,
    state: errorCount > 0 ? "failed" : state === "passed" ? "passed" : "unclear",
  });
  return [
    toOutcome([], module.state(), module.errors().length),
    ...[...module.children.allSuites()].map((suite) =>
      toOutcome([suite.fullName], suite.state(), suite.errors().length),
    ),
    ...[...module.children.allTests()].map((test) => {
      const { state } = test.result();
      return toOutcome([test.fullName], state, state === "failed" ? 1 : 0);
    }),
  ];
}

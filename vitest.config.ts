import { defineConfig } from "vitest/config";
import { compileCacheDirectory } from "./lib/bundle/cache-directory.ts";
import { enteredFilesPlugin } from "./test/flows/entered-files-plugin.ts";
import { pageAssetsPlugin } from "./test/support/page-assets-plugin.ts";
import { askAgainMs, longMs, patienceMs } from "./test/support/patience.ts";
import { SlowFilesFirst } from "./test/support/slow-files-first.ts";
import { taggedFilesPlugin } from "./test/support/tagged-files-plugin.ts";

// Test processes and what they start share compiled code.
process.env.NODE_COMPILE_CACHE ??= compileCacheDirectory();
// The bundler, written in Go, spends a quarter of its time on garbage collection by default.
process.env.GOGC ??= "400";

/** Tests that send HTTP to a running service, and nothing else. */
const service = ["test/service/**/*.test.ts", "test/readme/**/*.test.ts"];
/** Tests that also read the storage and the log of that service. */
const abuse = ["test/abuse/**/*.test.ts"];
const browser = ["test/browser/**/*.test.ts"];
/** Tests whose modules are loaded anew for each file, for a service or storage of the file's own. */
const own = ["test/{faults,service-modes}/*.test.ts", "test/**/*.own.test.ts"];
/** Tests that count the files that a call enters. */
const flows = ["test/flows/*.test.ts"];
/** Tests of the local cloud's package. */
const localCloud = ["packages/local-cloud/test/**/*.test.ts"];
/** Tests that run the operator's commands. */
const operator = ["test/operator/*.test.ts"];

/**
 * A deployed service, whose address is `BASE_URL`, signs nobody in for a script. With `DROPLEAF_TOKENS` (three tokens of one person and one
 * of another, separated by commas) the tests run that need no sign-in, one file at a time. They take an hour, mostly waiting for rate limits,
 * and delete both people's drops.
 */
const hasTokens = (process.env.DROPLEAF_TOKENS ?? "") !== "";
const needingSignIn = [
  "test/service/*sign-in*.test.ts",
  "test/service/agent-from-llms-txt.test.ts",
  "test/service/login-token.test.ts",
  "test/service/races.test.ts",
  "test/service/tokens.test.ts",
  "test/readme/**",
  ...browser,
];
const isLocal = (process.env.BASE_URL ?? "") === "";

const serviceUnderTest = {
  globalSetup: "test/support/service-under-test.ts",
  // Most accounts of tests then need no sign-in.
  provide: { signsInBehind: isLocal },
  isolate: false,
};
const ownService = { globalSetup: "test/support/own-service.ts" };

export default defineConfig({
  plugins: [pageAssetsPlugin(), taggedFilesPlugin()],
  test: {
    tags: [
      { name: "slow", description: "npm test does not run it" },
      // Some take minutes.
      { name: "nightly", description: "npm run test:nightly alone runs it", timeout: longMs },
    ],
    // More than processors: many tests wait for a queue, a timer or a browser. With a fourth they end no sooner.
    maxWorkers: hasTokens ? 1 : 3,
    // Only what hangs exceeds them. A deployed service makes tests wait for its rate limits.
    testTimeout: isLocal ? 60_000 : longMs,
    hookTimeout: isLocal ? 60_000 : longMs,
    expect: { poll: { timeout: patienceMs, interval: askAgainMs } },
    sequence: { sequencer: SlowFilesFirst },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["test/**/*.test.ts", "packages/*/test/**/*.test.ts"],
          exclude: [...flows, ...localCloud, ...service, ...abuse, ...browser, ...own, ...operator],
          setupFiles: "test/support/restored-environment.ts",
          isolate: false,
        },
      },
      { extends: true, test: { name: "local-cloud", include: localCloud, isolate: false } },
      {
        extends: true,
        test: {
          name: "own",
          include: own,
          provide: { hasOwnProcess: true },
          // Hooks synthesize and start services: 23 s on two processors with four times the work.
          hookTimeout: 180_000,
          ...ownService,
        },
      },
      {
        extends: true,
        test: {
          name: "operator",
          include: operator,
          exclude: own,
          isolate: false,
          // Longer intervals: they wait for an edge that takes seconds, at many addresses each time.
          expect: { poll: { timeout: patienceMs, interval: 300 } },
          ...ownService,
        },
      },
      {
        extends: true,
        plugins: [enteredFilesPlugin()],
        test: { name: "flows", include: flows, ...ownService },
      },
      {
        extends: true,
        test: {
          name: "service",
          include: service,
          exclude: hasTokens ? needingSignIn : [],
          ...serviceUnderTest,
        },
      },
      {
        extends: true,
        test: { name: "abuse", include: isLocal ? abuse : [], exclude: own, ...serviceUnderTest },
      },
      {
        extends: true,
        test: {
          name: "browser",
          include: browser,
          exclude: hasTokens ? needingSignIn : [],
          ...serviceUnderTest,
        },
      },
    ],
  },
});

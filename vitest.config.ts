import { defineConfig } from "vitest/config";
import { compileCacheDirectory } from "./lib/bundle/cache-directory.ts";
import { enteredFilesPlugin } from "./test/flows/entered-files-plugin.ts";
import { leftOutOf, leftOutPlugin } from "./test/support/left-out.ts";
import { pageAssetsPlugin } from "./test/support/page-assets-plugin.ts";
import { askAgainMs, patienceMs } from "./test/support/patience.ts";

// For the processes of the tests, each of which compiles the CDK, the SDK and what it starts.
process.env.NODE_COMPILE_CACHE ??= compileCacheDirectory();

const overHttp = ["test/service/**/*.test.ts", "test/readme/**/*.test.ts"];
/** They look behind the service, into its storage and its log. */
const behind = ["test/abuse/**/*.test.ts"];
const inBrowser = ["test/browser/**/*.test.ts"];
/** They have storage or a service of their own, where the modules that know of one read it once: each has a process. */
const onTheirOwn = ["test/{faults,service-modes}/*.test.ts", "test/**/*.own{,.long}.test.ts"];
/** They run the operator's commands on a service that nobody else uses. */
/** They count the files that a call enters. */
const flows = ["test/flows/*.test.ts"];
const asOperator = ["test/operator/*.test.ts"];
const serviceUnderTest = "test/support/service-under-test.ts";
const ownService = "test/support/own-service.ts";

/**
 * A deployed service signs people in where no script can. With `BASE_URL` and `DROPLEAF_TOKENS` (comma separated: three
 * tokens of one person and one of another) those tests run that need no more, one file at a time, because they share
 * the tokens. It takes an hour, mostly of waiting for the tokens' minutes, and the drops of both people are deleted.
 */
const hasGivenTokens = (process.env.DROPLEAF_TOKENS ?? "") !== "";
const signsPeopleIn = [
  "test/service/*sign-in*.test.ts",
  "test/service/agent-from-llms-txt.test.ts",
  "test/service/login-token.test.ts",
  "test/service/races.test.ts",
  "test/service/tokens.test.ts",
  "test/readme/**",
  ...inBrowser,
];

/** Only a service of this machine's own lets them look behind it. */
const isOwnService = (process.env.BASE_URL ?? "") === "";

/** There most accounts need no sign-in; where a template is walked with other settings, all have one. */
const signsInBehind = isOwnService && (process.env.TEST_SETTINGS ?? "") === "";

/** `npm test` and `npm run test:slow` share the tests between them: CONTRIBUTING.md, "Tests". */
const leftOut = leftOutOf(process.env.TESTS);

/** For what hangs, and for nothing else: the machine may be busy with other things. Asking again and again would be most of what it does. */
const patience = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: patienceMs, interval: askAgainMs } },
};

/**
 * `unit` needs nothing but this machine; `own` and `operator` share a Dropleaf of this machine and look behind it; `service`,
 * `abuse` and `browser` talk HTTP to a running one. Where no module holds what is one file's own, it is loaded once for all of them, which
 * is most of what a small file takes.
 */
export default defineConfig({
  plugins: [pageAssetsPlugin(), leftOutPlugin(leftOut)],
  test: {
    // More than there are processors on the smallest machine: many tests wait for a queue, a timer or a browser.
    maxWorkers: hasGivenTokens ? 1 : 6,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["test/**/*.test.ts", "packages/*/test/**/*.test.ts"],
          exclude: [
            ...flows,
            ...overHttp,
            ...behind,
            ...inBrowser,
            ...onTheirOwn,
            ...asOperator,
            ...leftOut.files,
          ],
          isolate: false,
          ...patience,
        },
      },
      {
        extends: true,
        test: {
          name: "own",
          provide: { hasOwnProcess: true },
          include: onTheirOwn,
          exclude: leftOut.files,
          globalSetup: ownService,
          ...patience,
        },
      },
      {
        extends: true,
        plugins: [enteredFilesPlugin()],
        test: {
          name: "flows",
          include: flows,
          exclude: leftOut.files,
          globalSetup: ownService,
          ...patience,
        },
      },
      {
        extends: true,
        test: {
          name: "operator",
          include: asOperator,
          exclude: [...onTheirOwn, ...leftOut.files],
          globalSetup: ownService,
          isolate: false,
          ...patience,
          // They wait for an edge that takes seconds, and look at many addresses each time.
          expect: { poll: { timeout: patienceMs, interval: 300 } },
        },
      },
      {
        extends: true,
        test: {
          name: "service",
          provide: { signsInBehind },
          include: overHttp,
          exclude: [...(hasGivenTokens ? signsPeopleIn : []), ...leftOut.files],
          globalSetup: serviceUnderTest,
          isolate: false,
          ...patience,
        },
      },
      {
        extends: true,
        test: {
          name: "abuse",
          provide: { signsInBehind },
          include: isOwnService ? behind : [],
          exclude: [...onTheirOwn, ...leftOut.files],
          globalSetup: serviceUnderTest,
          isolate: false,
          ...patience,
        },
      },
      {
        extends: true,
        test: {
          name: "browser",
          provide: { signsInBehind },
          include: inBrowser,
          exclude: [...(hasGivenTokens ? signsPeopleIn : []), ...leftOut.files],
          globalSetup: serviceUnderTest,
          isolate: false,
          ...patience,
        },
      },
    ],
  },
});

import { defineConfig } from "vitest/config";
import { compileCacheDirectory } from "./lib/cache-directory.ts";
import { pageAssetsPlugin } from "./test/support/page-assets-plugin.ts";
import { patienceMs } from "./test/support/patience.ts";

// For the processes of the tests, each of which compiles the CDK, the SDK and what it starts.
process.env.NODE_COMPILE_CACHE ??= compileCacheDirectory();

const overHttp = ["test/service/**/*.test.ts", "test/readme/**/*.test.ts"];
/** They look behind the service, into its storage and its log, or have others beside it. */
const behind = ["test/abuse/**/*.test.ts"];
const inBrowser = ["test/browser/**/*.test.ts"];
/** They point the stores at storage of their own, which the modules of these read once: each has a process. */
const onOwnStores = [
  "test/{faults,secrets,service-modes}/*.test.ts",
  "test/ingest/!(incoming-body|json-body-limit|operations|places).test.ts",
  "test/operator/{audit-roles,sweep}.test.ts",
  "test/workers/!(invalidation|invalidation-paths|stored-objects|table-change).test.ts",
];
/** They point the stores at the service that they share with the projects of `onOwnStores`. */
const onSharedStores = [
  "test/operator/!(audit-roles|command-line|preflight|stack-outputs|sweep|takedown-target).test.ts",
];
const runningService = "test/support/running-service.ts";
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

/** For what hangs, and for nothing else: the machine may be busy with other things. */
const patience = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: patienceMs } } };

/**
 * `unit` needs nothing but this machine; `stores` and `operator` share a Dropleaf of this machine and look behind it; `service`,
 * `abuse` and `browser` talk HTTP to a running one. Where no module holds what is one file's own, it is loaded once for all of them, which
 * is most of what a small file takes.
 */
export default defineConfig({
  plugins: [pageAssetsPlugin()],
  test: {
    // One more than there are processors on the smallest machine: many tests wait for a queue, a timer or a browser.
    maxWorkers: hasGivenTokens ? 1 : 3,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: [...overHttp, ...behind, ...inBrowser, ...onOwnStores, ...onSharedStores],
          isolate: false,
          ...patience,
        },
      },
      { extends: true, test: { name: "stores", include: onOwnStores, globalSetup: ownService, ...patience } },
      {
        extends: true,
        test: {
          name: "operator",
          include: onSharedStores,
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
          include: overHttp,
          exclude: hasGivenTokens ? signsPeopleIn : [],
          globalSetup: runningService,
          isolate: false,
          ...patience,
        },
      },
      {
        extends: true,
        test: {
          name: "abuse",
          include: isOwnService ? behind : [],
          globalSetup: runningService,
          ...patience,
        },
      },
      {
        extends: true,
        test: {
          name: "browser",
          include: inBrowser,
          exclude: hasGivenTokens ? signsPeopleIn : [],
          globalSetup: runningService,
          isolate: false,
          ...patience,
        },
      },
    ],
  },
});

import type { KnipConfig } from "knip";
import { everySource } from "./lib/bundle/function-source.ts";

export default {
  workspaces: {
    ".": {
      entry: [
        // The stack finds handlers by the ids of their rows.
        ...everySource.map(({ file }) => file),
        "action/*.ts",
        "bin/*.{ts,mjs}",
        "functions/edge/*.ts",
        "functions/core/start-up.ts",
        // The app of `lib/bundle/page-app.ts`, and what runs in browsers beside it.
        "functions/mcp/app/{page-app,framed-in-app}.client.{ts,tsx}",
        "test/browser/chat/{*-host,sandbox-proxy}.client.ts",
        "lib/bundle/own-credentials.ts",
        "lib/bundle/packed-functions.ts",
        "lib/bundle/without-entities.ts",
        "lib/dropleaf.ts",
        "local/packed-bundles.ts",
        "scripts/flaky-tests/*.ts",
        "test/**/*.test.ts",
        // A test starts it as a process that it kills.
        "test/abuse/answer-sender.ts",
      ],
      project: ["**/*.{ts,tsx}", "bin/*.mjs"],
      // What tools of the corpus work on.
      ignore: ["scripts/corpus/samples/**"],
    },
    "packages/local-cloud": {
      entry: ["test/**/*.test.ts", "examples/*/run.ts"],
      project: ["**/*.ts"],
      ignore: ["examples/counter/count-visit.ts"],
      includeEntryExports: true,
    },
    "packages/cli": {
      entry: ["src/dropleaf.ts"],
      project: ["**/*.ts"],
    },
    "packages/create": {
      entry: ["src/create-dropleaf.ts"],
      project: ["**/*.ts"],
    },
    "packages/renderer": {
      entry: ["*.ts"],
      project: ["*.ts"],
      ignoreDependencies: ["@expo-google-fonts/.+"],
    },
  },
  ignoreDependencies: ["@modelcontextprotocol/conformance", "cloudfront"],
  ignoreBinaries: ["firefox-esr", "njs"],
  ignoreExportsUsedInFile: true,
} satisfies KnipConfig;

import type { TestProject } from "vitest/node";
import { settingsOfEachKind } from "../lib/settings-of-each-kind.ts";
import { type ServiceOptions, startService } from "./running-service.ts";
import { shareService } from "./shared-service.ts";
import { isThorough } from "./thorough.ts";

/** The tests of races are among those that share the service. */
const racersInFunction = isThorough ? 8 : 2;

/**
 * Gives the tests a service: the one at `BASE_URL`, or else a local cloud of their own, gone after the run, with the
 * settings that `TEST_SETTINGS` names among those of each kind.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = (process.env.BASE_URL ?? "").replace(/\/$/, "");
  // The browsers, too: their sign-ins are counted by an address that no client comes from, and each function has started by then.
  const leave = await shareService(project, "under test", async () =>
    given === ""
      ? startService({ ...namedSettings(), environmentsPerFunction: racersInFunction })
      : { address: given, port: 0, directory: "", stop: async () => {} },
  );
  if (project.name !== "browser") return leave;
  // Loaded late: only these tests have a use for it.
  const { launchBrowserServer } = await import("./browser.ts");
  const browser = await launchBrowserServer();
  project.provide("browserEndpoint", browser.wsEndpoint());
  return async () => {
    await browser.close();
    await leave();
  };
}

function namedSettings(): ServiceOptions {
  const name = process.env.TEST_SETTINGS ?? "";
  if (name === "") return {};
  const found = settingsOfEachKind.find(([what]) => what === name);
  const names = settingsOfEachKind.map(([what]) => what).join(", ");
  if (found === undefined) throw new Error(`TEST_SETTINGS is ${JSON.stringify(name)}; there are ${names}.`);
  return { settings: found[1] };
}

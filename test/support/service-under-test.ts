import type { TestProject } from "vitest/node";
import { startService } from "./running-service.ts";
import { shareService } from "./shared-service.ts";

/** Gives the tests a service: the one at `BASE_URL`, or else a local one that is removed after the run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = (process.env.BASE_URL ?? "").replace(/\/$/, "");
  // Browser tests share the service too: their sign-ins count for a network address that no client uses, and its
  // functions have already started.
  const leave = await shareService(project, "under test", async () =>
    given === "" ? startService() : { address: given, port: 0, directory: "", stop: async () => {} },
  );
  if (project.name !== "browser") return leave;
  // Loaded late: only these tests need it.
  const { launchBrowserServer } = await import("./browser.ts");
  const browser = await launchBrowserServer();
  project.provide("browserEndpoint", browser.wsEndpoint());
  return async () => {
    await browser.close();
    await leave();
  };
}

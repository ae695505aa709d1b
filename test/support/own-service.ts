import type { TestProject } from "vitest/node";
import { provideService, type RunningService, startService } from "./running-service.ts";

/** Each project of a run loads this module for itself. */
const ofRun = globalThis as {
  dropleafOwnService?: { readonly started: Promise<RunningService>; users: number };
};

/**
 * Gives tests that look behind a service one of this machine's own, whatever `BASE_URL` and `TEST_SETTINGS` name; without
 * a server for large bodies. The projects of a run share it.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  ofRun.dropleafOwnService ??= { started: startService({ fileSettings: { ingest: "none" } }), users: 0 };
  const shared = ofRun.dropleafOwnService;
  shared.users += 1;
  const service = await shared.started;
  const stop = provideService(project, service);
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    delete ofRun.dropleafOwnService;
    await stop();
  };
}

import type { TestProject } from "vitest/node";
import { provideService, startService } from "./running-service.ts";

/**
 * Gives tests that look behind a service one of this machine's own, whatever `BASE_URL` and `TEST_SETTINGS` name; without
 * a server for large bodies.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  return provideService(project, await startService({ fileSettings: { ingest: "none" } }));
}

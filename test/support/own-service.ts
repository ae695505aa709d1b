import type { TestProject } from "vitest/node";
import { startService } from "./running-service.ts";
import { shareService } from "./shared-service.ts";

/**
 * Gives tests that access the service's stores a service on this machine, whatever `BASE_URL` names. It has access
 * requests and administration pages, and no server for large bodies.
 */
export function setup(project: TestProject): Promise<() => Promise<void>> {
  return shareService(project, "own", () =>
    startService({
      fileSettings: { ingest: "none", accessRequests: true, administrators: ["group:platform"] },
      environmentsPerFunction: 1,
    }),
  );
}

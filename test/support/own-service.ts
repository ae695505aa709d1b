import type { TestProject } from "vitest/node";
import { startService } from "./running-service.ts";
import { shareService } from "./shared-service.ts";

/**
 * Gives tests that look behind a service one of this machine's own, whatever `BASE_URL` names; without
 * a server for large bodies, and with requests for access and pages for administrators.
 */
export function setup(project: TestProject): Promise<() => Promise<void>> {
  return shareService(project, "own", () =>
    startService({
      fileSettings: { ingest: "none", accessRequests: true, administrators: ["group:platform"] },
      environmentsPerFunction: 1,
    }),
  );
}

import type { TestProject } from "vitest/node";
import type { RunningService } from "./running-service.ts";

type SharedService = Omit<RunningService, "cloud">;

/** Each project of a run loads this module for itself. */
const ofRun = globalThis as {
  dropleafServices?: Map<string, { readonly started: Promise<SharedService>; users: number }>;
};

/**
 * Gives the tests of a project a service, which projects that name it alike share, and returns how a project is done with
 * it: it ends with the last of them.
 */
export async function shareService(
  project: TestProject,
  name: string,
  start: () => Promise<SharedService>,
): Promise<() => Promise<void>> {
  ofRun.dropleafServices ??= new Map();
  const services = ofRun.dropleafServices;
  const shared = services.get(name) ?? { started: start(), users: 0 };
  services.set(name, shared);
  shared.users += 1;
  const { address, port, directory, stop } = await shared.started;
  project.provide("baseUrl", address);
  project.provide("servicePort", port);
  project.provide("serviceDirectory", directory);
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    services.delete(name);
    await stop();
  };
}

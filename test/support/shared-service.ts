import type { TestProject } from "vitest/node";
import type { RunningService } from "./running-service.ts";
import { shareBuild } from "./shared-build.ts";

type SharedService = Omit<RunningService, "cloud">;

interface Stoppable {
  stop(): Promise<void>;
}

/** Stored globally, because each project of a run loads this module separately. */
const ofRun = globalThis as {
  dropleafShared?: Map<string, { readonly started: Promise<Stoppable>; users: number }>;
};

/**
 * Gives the tests of a project a service that projects with the same name share. Returns a function that releases it;
 * the service stops with the last project.
 */
export async function shareService(
  project: TestProject,
  name: string,
  start: () => Promise<SharedService>,
): Promise<() => Promise<void>> {
  const build = await share("build", shareBuild);
  const service = await share(`service ${name}`, start);
  const { address, port, directory } = service.shared;
  project.provide("baseUrl", address);
  project.provide("servicePort", port);
  project.provide("serviceDirectory", directory);
  return async () => {
    await service.leave();
    await build.leave();
  };
}

/** Starts a resource for its first user, and stops it after the last. */
async function share<Shared extends Stoppable>(
  name: string,
  start: () => Promise<Shared>,
): Promise<{ readonly shared: Shared; leave(): Promise<void> }> {
  ofRun.dropleafShared ??= new Map();
  const all = ofRun.dropleafShared;
  const entry = all.get(name) ?? { started: start(), users: 0 };
  all.set(name, entry);
  entry.users += 1;
  const shared = (await entry.started) as Shared;
  return {
    shared,
    async leave() {
      entry.users -= 1;
      if (entry.users > 0) return;
      all.delete(name);
      await shared.stop();
    },
  };
}

import type { TestProject } from "vitest/node";
import type { RunningService } from "./running-service.ts";
import { shareBuild } from "./shared-build.ts";

type SharedService = Omit<RunningService, "cloud">;

interface Stoppable {
  stop(): Promise<void>;
}

/** Each project of a run loads this module for itself. */
const ofRun = globalThis as {
  dropleafShared?: Map<string, { readonly started: Promise<Stoppable>; users: number }>;
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

/** Starts something for the first of its users, and stops it after the last. */
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

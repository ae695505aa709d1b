import { createWriteStream, mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { type SynthesizeOptions, synthesize } from "../../lib/synthesize.ts";
import { findFreePort } from "../../local/free-port.ts";
import { type LocalCloud, startLocalCloud } from "../../local/local-cloud.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The address of the service under test, without trailing slash. */
    readonly baseUrl: string;
    /** The folder of a service that was started for this run, with its log and its data; empty for a given one. */
    readonly serviceDirectory: string;
  }
}

/** A service on this machine. */
export interface RunningService {
  readonly address: string;
  readonly cloud: LocalCloud;
  /** Holds `log.txt` and the folder `data`. */
  readonly directory: string;
  stop(): Promise<void>;
}

/** Gives the tests a service: the one at `BASE_URL`, or else a local cloud of their own, gone after the run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.BASE_URL ?? "";
  const service =
    given === ""
      ? await startService()
      : { address: given.replace(/\/$/, ""), directory: "", stop: async () => {} };
  project.provide("baseUrl", service.address);
  project.provide("serviceDirectory", service.directory);
  return () => service.stop();
}

/**
 * The stack as `npm start` runs it, on free ports and with data that is thrown away; `KEEP_TEST_SERVICE=1` leaves the
 * data and the log in the folder of temporary files.
 */
export async function startService(options: SynthesizeOptions = {}): Promise<RunningService> {
  const port = await findFreePort(2);
  const directory = mkdtempSync(join(tmpdir(), "dropleaf-test-"));
  const assetsDirectory = join(directory, "cdk.out");
  const log = createWriteStream(join(directory, "log.txt"));
  const address = `http://localhost:${port}`;
  const identityProvider = { kind: "oidc", issuer: `http://localhost:${port + 1}` } as const;
  await synthesize({ baseUrl: address, identityProvider }, assetsDirectory, options);
  const cloud = await startLocalCloud({
    assetsDirectory,
    port,
    dataDirectory: join(directory, "data"),
    log: (line) => log.write(`${line}\n`),
  });
  const stop = async () => {
    await cloud.stop();
    log.end();
    if (process.env.KEEP_TEST_SERVICE !== "1") await rm(directory, { recursive: true, force: true });
  };
  return { address, cloud, directory, stop };
}

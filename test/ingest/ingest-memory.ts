import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { LocalCloud } from "@dropleaf/local-cloud";
import { findFreePort } from "@dropleaf/local-cloud/free-port";
import { findOrSynthesize } from "../../local/assembly-cache.ts";
import { startDropleaf } from "../../local/start-dropleaf.ts";
import { signIn } from "../support/sign-in-at.ts";
import { createTemporaryDirectory } from "../support/temporary-directory.ts";
import { type IngestLoad, sendAll } from "./ingest-load.ts";

/** Memory use of the ingest server's process under a load. */
export interface IngestMemory {
  readonly load: IngestLoad;
  /** Peak of the resident memory. */
  readonly residentMebibytesMax: number;
}

/** An account can store 40 files of 25 MiB, and a token has 60 writes a minute. */
const requestsPerPerson = 30;

/**
 * Runs each load against a new process of a local cloud's ingest server. Needs Linux, which reports a process's peak:
 * proc_pid_status(5), VmHWM.
 *
 * @throws Error when a response is not what the load expects
 */
export async function measureIngest(loads: readonly IngestLoad[]): Promise<IngestMemory[]> {
  const cloud = await startCloud();
  try {
    const results: IngestMemory[] = [];
    for (const load of loads) results.push(await measureLoad(cloud, load));
    return results;
  } finally {
    await cloud.stop();
  }
}

async function measureLoad({ address, servers }: LocalCloud, load: IngestLoad): Promise<IngestMemory> {
  const [server] = servers.values();
  if (server === undefined) throw new Error("The stack has no ingest server.");
  await server.stop();
  const tokens = await Promise.all(
    Array.from({ length: Math.ceil(load.requests / requestsPerPerson) }, (_, index) =>
      signIn(address, `${load.path.length}-${load.hasLength}-${index}`),
    ),
  );
  await server.port();
  await sendAll(address, load, (index) => tokens[Math.floor(index / requestsPerPerson)] ?? "");
  return { load, residentMebibytesMax: residentMebibytesMax(server.processId) };
}

async function startCloud(): Promise<LocalCloud> {
  const port = await findFreePort(2);
  const directory = createTemporaryDirectory();
  const assetsDirectory = join(directory, "cdk.out");
  const identityProvider = { kind: "oidc", issuer: `http://localhost:${port + 1}` } as const;
  await findOrSynthesize(
    { baseUrl: `http://localhost:${port}`, identityProvider, ingest: "webfunction", members: "anyone" },
    assetsDirectory,
    { port },
  );
  const dataDirectory = join(directory, "data");
  return startDropleaf({ assetsDirectory, port, dataDirectory, log: () => undefined });
}

function residentMebibytesMax(processId: number | undefined): number {
  if (processId === undefined) throw new Error("The ingest server has ended under its load.");
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${processId}/status`, "utf8")) ?? [];
  return Number(kibibytes) / 1024;
}

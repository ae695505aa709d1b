import { usageOfTree } from "../process-tree.ts";
import type { FloorServer } from "./floor-server.ts";
import { type LoadCase, type LoadResult, runLoad } from "./load.ts";

/** How a load went, and what it took. */
export interface MeasuredLoad extends LoadResult {
  /** For a request, of the process tree that answers; undefined where the system does not tell. */
  readonly cpuMs: number | undefined;
  /** For a request, of the process that sends. */
  readonly loadCpuMs: number;
}

/** Sends a case's requests to a process, and counts the processors' time of its tree. */
export async function measureLoad(
  { address, pid }: Pick<FloorServer, "address" | "pid">,
  load: LoadCase,
): Promise<MeasuredLoad> {
  let serviceMs = 0;
  let loadMs = 0;
  const count = (sign: 1 | -1) => {
    serviceMs += sign * (usageOfTree(pid)?.cpuMs ?? Number.NaN);
    const { user, system } = process.cpuUsage();
    loadMs += (sign * (user + system)) / 1000;
  };
  const result = await runLoad(address, load, { start: () => count(-1), end: () => count(1) });
  return {
    ...result,
    cpuMs: Number.isNaN(serviceMs) ? undefined : serviceMs / result.requests,
    loadCpuMs: loadMs / result.requests,
  };
}

import { readdirSync, readFileSync } from "node:fs";
import { readTicks, tickMs } from "../process-tree.ts";

/** The milliseconds of processors that each thread of this process has taken, those of the same name together; none where the system does not tell. */
export function threadUsage(): ReadonlyMap<string, number> {
  const usage = new Map<string, number>();
  if (process.platform !== "linux") return usage;
  for (const thread of readdirSync("/proc/self/task")) {
    try {
      const path = `/proc/self/task/${thread}`;
      const name = readFileSync(`${path}/comm`, "utf8").trim();
      const ms = readTicks(readFileSync(`${path}/stat`, "utf8")) * tickMs;
      usage.set(name, (usage.get(name) ?? 0) + ms);
    } catch {
      // It has ended meanwhile.
    }
  }
  return usage;
}

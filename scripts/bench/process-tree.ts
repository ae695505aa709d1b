import { readFileSync } from "node:fs";
import { treeOf } from "../../functions/renders/browser/process-tree.ts";

/** What a process and everything that it started have taken of the machine. */
export interface TreeUsage {
  /** Of all processors together, since each began. */
  readonly cpuMs: number;
  readonly residentMegabytes: number;
}

/** Linux counts in hundredths of a second wherever Node runs: proc(5), sysconf(_SC_CLK_TCK). */
export const tickMs = 10;
const pageBytes = 4096;

/** Of a process and its descendants; undefined where the system does not tell, which Linux does. */
export function usageOfTree(pid: number): TreeUsage | undefined {
  return usageOf(pid, () => true);
}

/** Of a process's descendants, without itself. */
export function usageOfChildren(pid: number): TreeUsage | undefined {
  return usageOf(pid, (one) => one !== pid);
}

function usageOf(root: number, isCounted: (pid: number) => boolean): TreeUsage | undefined {
  if (process.platform !== "linux") return undefined;
  const members = treeOf(root)
    .filter(isCounted)
    .flatMap((pid) => readStat(pid));
  const sum = (of: (one: ProcessStat) => number) => members.reduce((total, one) => total + of(one), 0);
  return {
    cpuMs: sum(({ ticks }) => ticks) * tickMs,
    residentMegabytes: (sum(({ residentPages }) => residentPages) * pageBytes) / 1e6,
  };
}

interface ProcessStat {
  /** Its own, and those of children that have ended. */
  readonly ticks: number;
  readonly residentPages: number;
}

function readStat(pid: number): ProcessStat[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const field = fieldsOf(stat);
    return [
      {
        ticks: readTicks(stat) + field(16) + field(17),
        residentPages: field(24),
      },
    ];
  } catch {
    // It has ended meanwhile.
    return [];
  }
}

/** What a process or thread has taken of the processors itself, as its `stat` says. */
export function readTicks(stat: string): number {
  const field = fieldsOf(stat);
  return field(14) + field(15);
}

/** By the numbers of proc(5); after the name, which may hold anything. */
function fieldsOf(stat: string): (number: number) => number {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (number) => Number(fields[number - 3]);
}

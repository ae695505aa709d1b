import type { ChildProcess } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";

/** Message about the start or the end of a process that a function started. */
export interface ChildMessage {
  readonly type: "child started" | "child ended";
  readonly pid: number;
}

/**
 * Reports each process that this thread starts. Terminating a thread does not end its processes, unlike freezing an environment
 * in AWS, so the caller has to end them. See `child_process` in "Diagnostics Channel", Node.js documentation.
 */
export function reportChildProcesses(report: (message: ChildMessage) => void): void {
  subscribe("child_process", (message) => {
    const { process: child } = message as { readonly process: ChildProcess };
    // The process has not started yet, and has no id.
    child.once("spawn", () => {
      const { pid } = child;
      if (pid === undefined) return;
      report({ type: "child started", pid });
      child.once("exit", () => report({ type: "child ended", pid }));
    });
  });
}

const allPids = new Set<Set<number>>();
let isWatching = false;

/** Tracks the processes that the thread of an environment reports. They all end with this process. */
export function trackChildProcesses() {
  if (!isWatching) process.once("exit", () => allPids.forEach(kill));
  isWatching = true;
  const pids = new Set<number>();
  allPids.add(pids);
  return {
    note({ type, pid }: ChildMessage): void {
      if (type === "child started") pids.add(pid);
      else pids.delete(pid);
    },
    /** Ends the child processes, after the thread has ended. */
    killAll(): void {
      allPids.delete(pids);
      kill(pids);
    },
  };
}

/** Ends processes and the process groups that they lead. For example, a browser leads a group. */
function kill(pids: Iterable<number>): void {
  for (const pid of pids) {
    // The negative id is the process group, which exists only if the process leads one.
    for (const target of [-pid, pid]) {
      try {
        process.kill(target, "SIGKILL");
      } catch {
        // The process has already ended, or does not lead a group.
      }
    }
  }
}

import type { ChildProcess } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";

/** Message about the start or the end of a process that a function started. */
export type ChildMessage =
  | { readonly type: "child started"; readonly pid: number }
  | { readonly type: "child ended"; readonly pid: number };

/**
 * Reports each process that this thread starts. Terminating a thread does not end its processes, unlike freezing an environment
 * in AWS, so the caller has to end them.
 *
 * Source: Node.js, "Diagnostics Channel", `child_process`.
 */
export function reportChildProcesses(tell: (message: ChildMessage) => void): void {
  subscribe("child_process", (message) => {
    const { process: child } = message as { readonly process: ChildProcess };
    // The process has not started yet, and has no id.
    child.once("spawn", () => {
      const { pid } = child;
      if (pid === undefined) return;
      tell({ type: "child started", pid });
      child.once("exit", () => tell({ type: "child ended", pid }));
    });
  });
}

/** The child processes of one environment. They all end with this process. */
export interface Children {
  note(message: ChildMessage): void;
  /** Ends the child processes, after the thread has ended. */
  killAll(): void;
}

const allPids = new Set<Set<number>>();
let isWatching = false;

/** Tracks the processes that the thread of an environment reports. */
export function trackChildProcesses(): Children {
  if (!isWatching) process.once("exit", () => allPids.forEach(kill));
  isWatching = true;
  const pids = new Set<number>();
  allPids.add(pids);
  return {
    note({ type, pid }) {
      if (type === "child started") pids.add(pid);
      else pids.delete(pid);
    },
    killAll() {
      allPids.delete(pids);
      kill(pids);
    },
  };
}

/** Ends processes, and the process groups that they lead. A browser leads a group, for example. */
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

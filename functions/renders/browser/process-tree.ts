import { readdirSync, readFileSync } from "node:fs";

/** Finds the child process of the current process whose command line contains this text. */
export function findChild(argument: string): number | undefined {
  const children = everyProcess().filter(({ parent }) => parent === process.pid);
  return children.find(({ pid }) => read(pid, "cmdline").includes(argument))?.pid;
}

/** Returns the ids of a process and of all its descendants. */
export function treeOf(root: number): readonly number[] {
  const all = everyProcess();
  const tree = new Set([root]);
  // Repeats until no process is added, since a child may have a lower id than its parent.
  for (let size = 0; size !== tree.size; ) {
    size = tree.size;
    for (const { pid, parent } of all) if (tree.has(parent)) tree.add(pid);
  }
  return [...tree];
}

/** Returns the resident memory of the processes in bytes, without the program's code; see `/proc/pid/status` in proc(5). */
export function residentBytesOf(processes: readonly number[]): number {
  const status = processes.map((pid) => read(pid, "status")).join("");
  const lines = status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm);
  return [...lines].reduce((sum, [, kilobytes]) => sum + Number(kilobytes) * 1024, 0);
}

/** Returns true if the process exists and is not a zombie. */
export function isRunning(pid: number): boolean {
  const state = fieldsOf(read(pid, "stat"))[0];
  return state !== undefined && state !== "" && state !== "Z";
}

function everyProcess(): { readonly pid: number; readonly parent: number }[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: Number(fieldsOf(read(Number(name), "stat"))[1]) }));
}

/** Splits the fields after the process name, such as state and parent. The name itself may contain any character. */
function fieldsOf(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** Reads a file in /proc. Returns an empty string if the process has ended. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

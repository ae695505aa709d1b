import { readdirSync, readFileSync } from "node:fs";

/** The process that was started with a text among its arguments, by this one. */
export function findChild(argument: string): number | undefined {
  return everyProcess().find(({ pid, parent }) => parent === process.pid && commandOf(pid).includes(argument))
    ?.pid;
}

/** A process and all that it has started, by their numbers. */
export function treeOf(root: number): readonly number[] {
  const all = everyProcess();
  const tree = new Set([root]);
  // A child may have a lower number than its parent: until nothing is added.
  for (let size = 0; size !== tree.size; ) {
    size = tree.size;
    for (const { pid, parent } of all) if (tree.has(parent)) tree.add(pid);
  }
  return [...tree];
}

/** Anonymous resident memory of the processes in bytes, without the program's file; proc(5), `/proc/pid/status`. */
export function residentBytesOf(processes: readonly number[]): number {
  return processes.reduce((sum, pid) => sum + heldKilobytesOf(pid) * 1024, 0);
}

function heldKilobytesOf(pid: number): number {
  const lines = read(pid, "status").matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm);
  return [...lines].reduce((sum, [, kilobytes]) => sum + Number(kilobytes), 0);
}

/** Recognizes a process that runs and is no zombie. */
export function isRunning(pid: number): boolean {
  const state = fieldsOf(read(pid, "stat"))[0];
  return state !== undefined && state !== "" && state !== "Z";
}

function everyProcess(): { readonly pid: number; readonly parent: number }[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: Number(fieldsOf(read(Number(name), "stat"))[1]) }));
}

/** Behind the name, which may hold anything: the state, the parent. */
function fieldsOf(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function commandOf(pid: number): string {
  return read(pid, "cmdline");
}

/** Empty where it has ended meanwhile. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

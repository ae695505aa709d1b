import { readdirSync, readFileSync } from "node:fs";

/**
 * Environments of the browser processes that the function has started in this process. Only the function runs that
 * program.
 */
export function browserEnvironments(): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [program = ""] = read(pid, "cmdline").split("\0");
        const parent = /^PPid:\s+(\d+)$/m.exec(read(pid, "status"))?.[1];
        const isOurs = program.includes("dropleaf-chromium-") && Number(parent) === process.pid;
        return isOurs ? [read(pid, "environ")] : [];
      } catch {
        // The process has ended in between.
        return [];
      }
    });
}

function read(pid: string, file: string): string {
  return readFileSync(`/proc/${pid}/${file}`, "utf8");
}

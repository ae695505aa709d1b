import { readdirSync, readFileSync } from "node:fs";

/** Those that the function's browser has in this process, by their environments: nobody else runs its program. */
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
        // It has ended meanwhile.
        return [];
      }
    });
}

function read(pid: string, file: string): string {
  return readFileSync(`/proc/${pid}/${file}`, "utf8");
}

import { execFileSync } from "node:child_process";

/** Returns the process id of the database on this data folder, not of the shell that supervises it. */
export function databaseProcess(dataDirectory: string): number | undefined {
  const lines = execFileSync("ps", ["-eo", "pid,args"], { encoding: "utf8" }).split("\n");
  const line = lines.find((text) => /^\s*\d+ \S*dynoxide serve /.test(text) && text.includes(dataDirectory));
  return line === undefined ? undefined : Number.parseInt(line, 10);
}

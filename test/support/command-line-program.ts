import { join } from "node:path";
import { projectDirectory } from "../../lib/project-directory.ts";
import { runCommand } from "./run-command.ts";

/** Package folder of the command line. */
export const commandLinePackage = join(projectDirectory, "packages/cli");

/** Bundles the command line into the caller's folder, because tests run in parallel. Returns the file to run. */
export async function buildCommandLine(directory: string): Promise<string> {
  const target = join(directory, "dist");
  const command = [process.execPath, "--import", "tsx", "build.ts", target] as const;
  const { exitCode, stderr } = await runCommand(command, { directory: commandLinePackage });
  if (exitCode !== 0) throw new Error(stderr);
  return join(target, "dropleaf.mjs");
}

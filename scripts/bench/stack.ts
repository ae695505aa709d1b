import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import type { LocalCloud } from "@dropleaf/local-cloud";
import { findFreePort } from "@dropleaf/local-cloud/free-port";
import { findOrSynthesize } from "../../local/assembly-cache.ts";
import { startDropleaf } from "../../local/start-dropleaf.ts";
import { keepTail } from "../../test/support/output-tail.ts";
import { environmentOf } from "../../test/support/stack-environment.ts";
import { createTemporaryDirectory } from "../../test/support/temporary-directory.ts";

/** A running stack whose functions are measured. */
export interface MeasuredStack {
  readonly cloud: LocalCloud;
  /**
   * Calls an exported function of a module, in a child process with the environment of the stack's functions. Returns the function's
   * result.
   *
   * @throws Error with the last output of the child process, if the process fails
   */
  run<Result>(module: URL, exportName: string, args?: readonly string[]): Promise<Result>;
}

/** Calls an exported function in a child process, while the local cloud runs in this process; see `MeasuredStack`. */
export function measureInStack<Result>(module: URL, exportName: string): Promise<Result> {
  return withStack(({ run }) => run<Result>(module, exportName));
}

/** Runs the stack in this process during a measurement, without rendering pages. */
export async function withStack<Result>(
  measure: (stack: MeasuredStack) => Promise<Result>,
  log: (line: string) => void = () => {},
): Promise<Result> {
  const directory = createTemporaryDirectory();
  const assetsDirectory = join(directory, "cdk.out");
  const port = await findFreePort(2);
  const identityProvider = { kind: "oidc", issuer: `http://localhost:${port + 1}` } as const;
  const stage = { baseUrl: `http://localhost:${port}`, identityProvider, stage: "throwaway" } as const;
  const features = { ingest: "webfunction", members: "anyone", readTrail: true, renders: false } as const;
  await findOrSynthesize({ ...stage, ...features }, assetsDirectory, { port });
  const dataDirectory = join(directory, "data");
  const cloud = await startDropleaf({ assetsDirectory, port, dataDirectory, log });
  try {
    const env = { ...process.env, ...environmentOf(cloud) };
    return await measure({
      cloud,
      run: (module, exportName, args = []) => runInChild([module.href, exportName, ...args], env),
    });
  } finally {
    await cloud.stop();
  }
}

function runInChild<Result>(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Result> {
  const child: ChildProcess = fork(new URL("./stack-process.ts", import.meta.url), args, {
    env,
    // Imports tsx, because the functions' sources contain JSX, which Node cannot compile.
    execArgv: ["--import", "tsx"],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const tail = keepTail(child);
  const killWithBench = () => child.kill("SIGKILL");
  process.on("exit", killWithBench);
  return new Promise((resolve, reject) => {
    child.once("message", (result) => resolve(result as Result));
    child.once("error", reject);
    child.once("close", () => {
      process.off("exit", killWithBench);
      reject(new Error(`The child process ended early. Its output:\n${tail()}`));
    });
  });
}

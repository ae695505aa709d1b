import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { findFreePort } from "@dropleaf/local-cloud/free-port";
import { findOrSynthesize } from "../../../local/assembly-cache.ts";
import { startDropleaf } from "../../../local/start-dropleaf.ts";
import { keepTail } from "../output-tail.ts";
import { createTemporaryDirectory } from "../temporary-directory.ts";
import { environmentOf } from "./functions-environment.ts";

/**
 * Runs a program that measures calls against the synthesized stack, in the environment of its functions and a process
 * of its own, with AWS in this one. It sends its result to this process.
 *
 * @throws Error with the last lines of its output when the process with the functions fails
 */
export async function measureInStack<Result>(program: URL): Promise<Result> {
  const directory = createTemporaryDirectory();
  const assetsDirectory = join(directory, "cdk.out");
  const port = await findFreePort(2);
  const identityProvider = { kind: "oidc", issuer: `http://localhost:${port + 1}` } as const;
  await findOrSynthesize(
    {
      baseUrl: `http://localhost:${port}`,
      identityProvider,
      stage: "throwaway",
      ingest: "webfunction",
      members: "anyone",
      renders: false,
    },
    assetsDirectory,
    { port },
  );
  const dataDirectory = join(directory, "data");
  const cloud = await startDropleaf({ assetsDirectory, port, dataDirectory, log: () => {} });
  try {
    return await runProgram(program, { ...process.env, ...(await environmentOf(cloud)) });
  } finally {
    await cloud.stop();
  }
}

function runProgram<Result>(program: URL, env: NodeJS.ProcessEnv): Promise<Result> {
  const child: ChildProcess = fork(program, {
    env,
    // Functions as they are written: with JSX, whoever has started this process.
    execArgv: ["--import", "tsx"],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const tail = keepTail([child.stdout, child.stderr]);
  const killWithBench = () => child.kill("SIGKILL");
  process.on("exit", killWithBench);
  return new Promise((resolve, reject) => {
    child.once("message", (result) => resolve(result as Result));
    child.once("error", reject);
    child.once("close", () => {
      process.off("exit", killWithBench);
      reject(new Error(`The process with the functions ended early. It said:\n${tail.text()}`));
    });
  });
}

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { keepTail } from "./output-tail.ts";

/** A function loaded in its own process and not called yet. */
export interface ColdFunction {
  call(event: object): Promise<{ readonly response: unknown }>;
  /** Everything that the process wrote. */
  output(): string;
  /** Lets the process exit by itself, when it has nothing left to do, and returns its exit code. */
  end(): Promise<number | null>;
  kill(): void;
}

/** Environment variable that makes a process believe it is a Lambda function. */
export const lambdaEnvironment = { AWS_LAMBDA_FUNCTION_NAME: "measured" };

/**
 * Loads a bundle in a new Node.js process with only this environment.
 *
 * @throws Error with the process's output if it exits before the bundle is loaded
 */
export async function startColdFunction(
  modulePath: string,
  exportName: string,
  env: Readonly<Record<string, string>>,
): Promise<ColdFunction> {
  const program = new URL("./function-process.mjs", import.meta.url);
  const child: ChildProcess = fork(program, [modulePath, exportName], {
    env: { ...env },
    execArgv: [],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const tail = keepTail(child);
  const kill = () => child.kill("SIGKILL");
  process.on("exit", kill);
  const exited = once(child, "exit").then(([code]) => {
    process.off("exit", kill);
    return code as number | null;
  });
  const nextMessage = () =>
    Promise.race([
      once(child, "message").then(([message]) => message),
      exited.then((code) => {
        throw new Error(`The function's process ended with ${code}. It said:\n${tail()}`);
      }),
    ]);
  await nextMessage();
  return {
    async call(event) {
      const message = nextMessage();
      child.send({ event });
      return message;
    },
    output: tail,
    async end() {
      child.disconnect();
      return exited;
    },
    kill,
  };
}

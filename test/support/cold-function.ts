import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { keepTail } from "./output-tail.ts";

/** A function in a process of its own, loaded and not called yet. */
export interface ColdFunction {
  call(event: object): Promise<{ readonly response: unknown }>;
  /** Everything that it wrote. */
  output(): string;
  /** Lets it end by itself, as it does when nothing is left to do, and returns its exit code. */
  end(): Promise<number | null>;
  kill(): void;
}

/** Environment variable by which a process knows that it is a Lambda function. */
export const lambdaEnvironment = { AWS_LAMBDA_FUNCTION_NAME: "measured" };

/**
 * Loads a bundle in a new process of this Node, with only this environment.
 *
 * @throws Error with its output if it ends before it is loaded
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

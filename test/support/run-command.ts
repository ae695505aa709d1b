import { spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter, dirname } from "node:path";
import { text } from "node:stream/consumers";

/** How a command ended, and what it said. */
export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where and with what a command runs. */
export interface CommandOptions {
  /** The working directory, which is its home too: nothing of the machine's settings is there. */
  readonly directory: string;
  /** All of its environment but PATH and HOME. */
  readonly environment?: Readonly<Record<string, string>>;
  /** @default - nothing */
  readonly stdin?: string;
}

/** For what hangs: a busy machine takes its time. */
const timeoutMs = 120_000;

/** Runs a command as a person would, `node` being the one that runs the tests; throws where it cannot be started. */
export async function runCommand(
  [command, ...args]: readonly [string, ...string[]],
  { directory, environment = {}, stdin = "" }: CommandOptions,
): Promise<CommandResult> {
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const child = spawn(command, args, {
    cwd: directory,
    env: { PATH: path, HOME: directory, ...environment },
    signal: AbortSignal.timeout(timeoutMs),
  });
  child.stdin.on("error", () => {}); // A command may end without reading.
  child.stdin.end(stdin);
  const [[exitCode, signal], stdout, stderr] = await Promise.all([
    once(child, "close") as Promise<[number | null, string | null]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  if (exitCode === null) throw new Error(`${command} was ended by ${signal}: ${stderr}`);
  return { exitCode, stdout, stderr };
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter, dirname } from "node:path";
import { text } from "node:stream/consumers";

/** Exit code and output of a command. */
export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Working directory, environment and input of a command. */
export interface CommandOptions {
  /** Working directory and home folder, so that the machine's settings are not used. */
  readonly directory: string;
  /** The environment, except for PATH and HOME. */
  readonly environment?: Readonly<Record<string, string>>;
  /** @default - nothing */
  readonly stdin?: string;
}

/** Long enough that only a hang exceeds it on a busy machine. */
const timeoutMs = 120_000;

/**
 * Runs a command as a person would. `node` is the Node.js that runs the tests. Throws if the command cannot be
 * started.
 */
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
  child.stdin.on("error", () => {}); // A command may exit without reading its input.
  child.stdin.end(stdin);
  const [[exitCode, signal], stdout, stderr] = await Promise.all([
    once(child, "close") as Promise<[number | null, string | null]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  if (exitCode === null) throw new Error(`${command} was ended by ${signal}: ${stderr}`);
  return { exitCode, stdout, stderr };
}

import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { findFreePort } from "@dropleaf/local-cloud/free-port";
import { keepTail, type OutputTail } from "./output-tail.ts";
import { usageOfTree } from "./process-tree.ts";

/** Where and on what `npm start` runs. */
export interface ServiceProcessOptions {
  readonly projectDirectory: string;
  readonly dataDirectory: string;
  /** Exists; stands in for the system's, so that nothing of earlier runs is found and nothing is left behind. */
  readonly temporaryDirectory: string;
  /** Which of npm's scripts runs it. @default "start" */
  readonly script?: "start" | "dev";
  /** Whether each page that is published is drawn as well, in seconds of the same processors. @default true */
  readonly areRendered?: boolean;
}

/** A service that was started by `npm start` or `npm run dev`. */
export interface ServiceProcess {
  /** Such as `http://localhost:8787`. */
  readonly address: string;
  /** The root of its process tree. */
  readonly pid: number;
  /** From the start of npm to the line that says so. */
  readonly readyAfterMs: number;
  /** What all of its processes had taken of the processors then; undefined where the system does not tell. */
  readonly readyCpuMs: number | undefined;
  /** How long after a change of the code that line comes again, with `npm run dev`. */
  readyAgainAfterMs(change: () => Promise<void>): Promise<number>;
  /** The last lines that it said, for messages about failures. */
  lastLines(): string;
  /** Ends it as Ctrl-C does, and waits for its end. */
  stop(): Promise<void>;
}

const readyMsMax = 120_000;
const readyLine = /^Dropleaf is ready at (\S+)/;

/**
 * Runs it on free ports until it is ready.
 *
 * @throws Error with the last lines of its output when it ends or takes too long
 */
export async function startService(options: ServiceProcessOptions): Promise<ServiceProcess> {
  const environment = await environmentOf(options);
  const command = `npm run ${options.script ?? "start"}`;
  const startedAtMs = performance.now();
  const child = spawn("npm", command.split(" ").slice(1), {
    cwd: options.projectDirectory,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
    // A process group of its own, so that a signal reaches the service and not only npm and its shell.
    detached: true,
  });
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(`could not be run (${error.message})`));
    child.once("close", () => resolve("ended before it was ready"));
  });
  const killWithBench = () => signalGroup(child, "SIGKILL");
  process.on("exit", killWithBench);
  const stop = async () => {
    signalGroup(child, "SIGTERM");
    await ended;
    process.off("exit", killWithBench);
  };
  try {
    const { nextReady, tail } = watchReadyLines(child, ended, command);
    const address = await nextReady();
    const pid = child.pid ?? 0;
    return {
      address,
      pid,
      readyAfterMs: performance.now() - startedAtMs,
      readyCpuMs: usageOfTree(pid)?.cpuMs,
      async readyAgainAfterMs(change) {
        const changedAtMs = performance.now();
        const ready = nextReady();
        await change();
        await ready;
        return performance.now() - changedAtMs;
      },
      lastLines: tail.text,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function environmentOf(options: ServiceProcessOptions): Promise<NodeJS.ProcessEnv> {
  const { dataDirectory, temporaryDirectory, areRendered = true } = options;
  // What the npm around this process says of itself is not for the one inside.
  const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  return {
    ...Object.fromEntries(own),
    PORT: String(await findFreePort(2)),
    DATA_DIR: dataDirectory,
    TMPDIR: temporaryDirectory,
    ...(areRendered ? {} : { SETTINGS: join(import.meta.dirname, "settings.json") }),
    npm_config_update_notifier: "false",
  };
}

/** What `nextReady` returns is the address that the next ready line says. */
function watchReadyLines(
  child: ChildProcess,
  ended: Promise<string>,
  command: string,
): { readonly nextReady: () => Promise<string>; readonly tail: OutputTail } {
  let onReady: (address: string) => void = () => {};
  const tail = keepTail([child.stdout, child.stderr], (line) => {
    const [, address] = readyLine.exec(line) ?? [];
    if (address !== undefined) onReady(address);
  });
  const nextReady = () =>
    new Promise<string>((resolve, reject) => {
      const fail = (reason: string) => {
        clearTimeout(deadline);
        reject(new Error(`\`${command}\` ${reason}. It said:\n${tail.text()}`));
      };
      const deadline = setTimeout(() => fail(`was not ready after ${readyMsMax / 1000} s`), readyMsMax);
      onReady = (address) => {
        clearTimeout(deadline);
        resolve(address);
      };
      void ended.then(fail);
    });
  return { nextReady, tail };
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // It has ended by itself.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { dirname, extname } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { findFreePort } from "../free-port.ts";
import { printerOf } from "../lambda/lambda-function.ts";
import type { ServerProgram } from "./server-program.ts";

/** The process of a server, started by the first request that needs it. */
export type ServerProcess = ReturnType<typeof createServerProcess>;

/** Maximum time until a server listens; see "Execution environment lifecycle" of Web Functions. */
const startMsMax = 10_000;
const stopMsMax = 5_000;

/** Prepares a server's process. Its output goes to `log`, line by line. */
export function createServerProcess(program: ServerProgram, log: (line: string) => void) {
  let child: ChildProcess | undefined;
  let listening: Promise<number> | undefined;

  const print = printerOf(program.modulePath, program.name, program.options, log);

  async function start(): Promise<number> {
    await program.options.prepareCode?.(dirname(program.modulePath));
    const port = await findFreePort();
    const started = spawnProgram(program, port);
    child = started;
    for (const stream of [started.stdout, started.stderr]) {
      if (stream) createInterface({ input: stream }).on("line", print);
    }
    started.once("exit", (code, signal) => {
      log(`[${program.name}] ended with ${signal ?? `code ${code}`}`);
      if (child === started) child = listening = undefined;
    });
    await untilListening(program, started, port);
    return port;
  }

  return {
    /** Returns the port on this machine. Rejects if the program does not listen in time. */
    port(): Promise<number> {
      listening ??= start().catch((error: unknown) => {
        listening = undefined;
        throw error;
      });
      return listening;
    },
    /** The process's id, while it runs. */
    get processId(): number | undefined {
      return child?.pid;
    },
    /** Stops the process after its running requests have ended. */
    async stop(): Promise<void> {
      const running = child;
      if (running === undefined) return;
      const ended = once(running, "exit");
      running.kill("SIGTERM");
      const cut = setTimeout(() => running.kill("SIGKILL"), stopMsMax);
      await ended;
      clearTimeout(cut);
    },
  };
}

function spawnProgram(program: ServerProgram, port: number): ChildProcess {
  const { clockOffsetSeconds = 0, isDebugged } = program.options;
  const besideThis = (path: string) =>
    new URL(`${path}${extname(import.meta.filename)}`, import.meta.url).href;
  const moveClock = `import { moveClock } from "${besideThis("../clock")}"; moveClock(${clockOffsetSeconds})`;
  return spawn(
    process.execPath,
    [
      `--max-old-space-size=${program.memoryMegabytes}`,
      `--import=${besideThis("./end-with-parent")}`,
      ...(clockOffsetSeconds === 0 ? [] : [`--import=data:text/javascript,${encodeURIComponent(moveClock)}`]),
      ...(isDebugged ? ["--inspect=127.0.0.1:0"] : []),
      program.modulePath,
    ],
    {
      env: { ...program.environment, AWS_LAMBDA_HTTP_ENDPOINT: `127.0.0.1:${port}` },
      stdio: ["pipe", "pipe", "pipe"],
      cwd: fileURLToPath(new URL(".", import.meta.url)),
    },
  );
}

async function untilListening(program: ServerProgram, child: ChildProcess, port: number): Promise<void> {
  const untilMs = performance.now() + startMsMax;
  while (performance.now() < untilMs && child.exitCode === null && child.signalCode === null) {
    if (await accepts(port)) return;
    await sleep(10);
  }
  child.kill("SIGKILL");
  throw new Error(`${program.name} did not listen on port ${port} within ${startMsMax / 1000} seconds`);
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
      .once("connect", () => {
        socket.destroy();
        resolve(true);
      })
      .once("error", () => resolve(false));
  });
}

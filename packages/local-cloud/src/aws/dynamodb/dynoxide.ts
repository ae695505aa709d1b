import { type ChildProcess, spawn } from "node:child_process";
import { get } from "node:http";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findFreePort } from "../../free-port.ts";
import type { Log } from "../aws-service.ts";
import type { DynamoDbBackend } from "./backend.ts";

const READY_MS_MAX = 10_000;
const ANSWER_MS_MAX = 1_000;
const STOP_MS_MAX = 3_000;
const RESTART_WINDOW_MS = 60_000;
const RESTARTS_PER_WINDOW_MAX = 3;

/**
 * Shell script that runs a process and ends it when standard input closes. The operating system closes standard input however the parent
 * ends, even after SIGKILL.
 */
const END_WITH_PARENT = `
exec 3<&0 0</dev/null
"$@" 3<&- &
child=$!
{ cat <&3; kill "$child"; } >/dev/null 2>&1 &
wait "$child"
`;

/**
 * Runs dynoxide, a DynamoDB-compatible server in one binary, on a database file. Its write-ahead log is fully synchronized, so that
 * acknowledged writes survive the end of the process. Restarts dynoxide after an unexpected exit.
 *
 * @throws Error if there is no binary for this platform, or if the binary does not start
 */
export async function startDynoxide(databasePath: string, log: Log): Promise<DynamoDbBackend> {
  const binary = findDynoxide();
  const restartsMs: number[] = [];
  let isStopping = false;
  let running: Promise<RunningDynoxide>;

  const start = async (): Promise<RunningDynoxide> => {
    const started = await launch(binary, databasePath);
    started.ended.then((reason) => {
      if (isStopping) return;
      log(`dynamodb: dynoxide ended unexpectedly (${reason}); starting it again`);
      running = restart();
      running.catch((error: Error) => log(`dynamodb: ${error.message}`));
    });
    return started;
  };
  const restart = async (): Promise<RunningDynoxide> => {
    const nowMs = Date.now();
    restartsMs.push(nowMs);
    if (restartsMs.filter((ms) => ms > nowMs - RESTART_WINDOW_MS).length > RESTARTS_PER_WINDOW_MAX) {
      throw new Error(`dynoxide ended more than ${RESTARTS_PER_WINDOW_MAX} times in a minute; giving up`);
    }
    return start();
  };

  running = start();
  await running;
  return {
    ownDatabase: databasePath,
    endpoint: async () => (await running).endpoint,
    async stop() {
      isStopping = true;
      await running.then(endProcess, () => {});
    },
  };
}

interface RunningDynoxide {
  readonly endpoint: URL;
  readonly process: ChildProcess;
  /** Resolves with the reason after the process has ended. */
  readonly ended: Promise<string>;
}

/** The only platform on which npm installs the binary's package; see `optionalDependencies` in package.json. */
const platformOfPackage = "linux-x64";

/** Returns the path of the emulator's binary. Throws an Error with installation advice if it is missing. */
export function findDynoxide(
  platform = `${process.platform}-${process.arch}`,
  resolvePackage: (path: string) => string = createRequire(import.meta.url).resolve,
): string {
  try {
    return join(dirname(resolvePackage(`@dynoxide/${platform}/package.json`)), "dynoxide");
  } catch {
    throw new Error(
      platform === platformOfPackage
        ? `The DynamoDB engine, @dynoxide/${platform}, is not installed: run \`npm ci\`, without --omit=optional.`
        : `npm has no DynamoDB engine for ${platform}: start DynamoDB Local (\`docker run -p 8000:8000 amazon/dynamodb-local\`), and set DYNAMODB_ENDPOINT=http://localhost:8000.`,
    );
  }
}

async function launch(binary: string, databasePath: string): Promise<RunningDynoxide> {
  const port = await findFreePort();
  const command = [binary, "serve", "--host", "127.0.0.1", "--port", String(port), "--db-path", databasePath];
  // The process is detached, so that Ctrl-C does not reach it before the local cloud has finished running requests.
  const child = spawn("/bin/sh", ["-c", END_WITH_PARENT, "dynoxide", ...command], {
    stdio: ["pipe", "ignore", "pipe"],
    detached: true,
  });
  let errorOutput = "";
  child.stderr?.on("data", (bytes: Buffer) => {
    errorOutput = (errorOutput + bytes.toString()).slice(-4_000);
  });
  const ended = new Promise<string>((done) => {
    child.once("error", (error) => done(error.message));
    child.once("exit", (code, signal) => {
      child.stdin?.destroy();
      // Removes the shell's line "Killed" and the server's line "listening", which do not explain why the process ended.
      const lastWords = errorOutput.replace(/^Dynoxide listening.*$|^Killed$/gm, "").trim();
      done([signal ?? `exit code ${code}`, lastWords.replaceAll("\n", " ")].filter(Boolean).join(": "));
    });
  });
  const dynoxide = { endpoint: new URL(`http://127.0.0.1:${port}/`), process: child, ended };
  try {
    await waitUntilReady(dynoxide);
  } catch (error) {
    await endProcess(dynoxide);
    throw error;
  }
  return dynoxide;
}

async function waitUntilReady(dynoxide: RunningDynoxide): Promise<void> {
  const deadlineMs = Date.now() + READY_MS_MAX;
  const ended = dynoxide.ended.then((reason) => {
    throw new Error(`The DynamoDB emulator dynoxide did not start (${reason}).`);
  });
  ended.catch(() => {}); // Prevents an unhandled rejection if dynoxide ends after it was ready.
  while (Date.now() < deadlineMs) {
    const isReady = await Promise.race([isResponding(dynoxide.endpoint), ended]);
    if (isReady) return;
    await Promise.race([delay(15), ended]);
  }
  throw new Error(`The DynamoDB emulator dynoxide did not respond within ${READY_MS_MAX / 1000} s.`);
}

function isResponding(endpoint: URL): Promise<boolean> {
  return new Promise((done) => {
    get(endpoint, { signal: AbortSignal.timeout(ANSWER_MS_MAX), agent: false }, (response) => {
      response.resume();
      done(response.statusCode === 200);
    }).once("error", () => done(false));
  });
}

async function endProcess(dynoxide: RunningDynoxide): Promise<void> {
  const { process: child, ended } = dynoxide;
  child.stdin?.end();
  const isEnded = await Promise.race([ended.then(() => true), delay(STOP_MS_MAX, false, { ref: false })]);
  if (isEnded || child.pid === undefined) return;
  process.kill(-child.pid, "SIGKILL");
  await ended;
}

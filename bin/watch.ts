/** `npm run dev` restarts `npm start` after each change to the code. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, watch } from "node:fs";
import { basename, join, resolve } from "node:path";

const projectDirectory = resolve(import.meta.dirname, "..");

/** Watched folders. The stack, its functions and the local cloud are built from them. */
const watchedFolders = ["functions", "lib", "local", "packages", "bin"];
const watchedFiles = /^(settings(\.local)?\.\w+|package-lock\.json|tsconfig\.json)$/;

/** Pause after a change, because editors save a file in several steps. */
const settleMs = 100;

let service = start();
let isEnding = false;
let settled: NodeJS.Timeout | undefined;
/** Chain of restarts. They run one after another, because all use the same port. */
let restarts = Promise.resolve();

for (const folder of watchedFolders.map((name) => join(projectDirectory, name)).filter(existsSync)) {
  watch(folder, { recursive: true }, (_, file) => changed(file ?? folder));
}
watch(projectDirectory, (_, file) => file !== null && watchedFiles.test(file) && changed(file));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void end());

function start(): ChildProcess {
  const started = spawn(process.execPath, [join(import.meta.dirname, "start.mjs")], {
    stdio: "inherit",
    // Unsets this variable, because with it `bin/local.ts` would mistake this process for npm's shell.
    env: { ...process.env, npm_lifecycle_event: undefined },
  });
  started.once("exit", (code) => {
    if (started === service && code !== 0 && !isEnding) console.log("Waiting for a change …");
  });
  return started;
}

function changed(file: string): void {
  // Ignores temporary files of editors.
  if (/^[.#]|~$|^\d+$/.test(basename(file))) return;
  clearTimeout(settled);
  settled = setTimeout(() => {
    restarts = restarts.then(() => restart(file));
  }, settleMs);
}

async function restart(file: string): Promise<void> {
  if (isEnding) return;
  console.log(`${file} has changed. Restarting …`);
  await stop();
  if (!isEnding) service = start();
}

async function stop(): Promise<void> {
  if (service.exitCode !== null || service.signalCode !== null) return;
  const exited = once(service, "exit");
  service.kill("SIGTERM");
  await exited;
}

async function end(): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  await stop();
  process.exit(0);
}

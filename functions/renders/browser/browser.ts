import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type BrowserContext, chromium } from "playwright-core";
import type { Stop } from "../report.ts";
import { browserArguments } from "./arguments.ts";
import { findChild, isRunning, residentBytesOf, treeOf } from "./process-tree.ts";
import { unpackBrowser } from "./program.ts";

/** A browser for one page, and the only page in it. */
export type RunningBrowser = ReturnType<typeof watch>;

/**
 * Limit of the browser's memory: the function's memory minus Node's share, and minus the most that a page allocates between two
 * measurements.
 */
const browserBytesMax = 1_200_000_000;
/** Memory limit for a page's messages in Node, which can arrive faster than they are dropped. */
const messagesBytesMax = 400_000_000;
const lookEveryMs = 50;
const startMsMax = 15_000;

/** Prefix of the browser's profile folder, among temporary files. */
const folderPrefix = "dropleaf-draw-";

/**
 * Starts a browser with a fresh profile and an empty environment. It communicates through a pipe and opens no port.
 *
 * @throws Error when it does not start
 */
export async function startBrowser(): Promise<RunningBrowser> {
  const { file, environment } = await unpackBrowser();
  await removeLeftovers();
  const folder = await mkdtemp(join(tmpdir(), folderPrefix));
  let context: BrowserContext;
  try {
    context = await chromium.launchPersistentContext(join(folder, "profile"), {
      executablePath: file,
      args: [...browserArguments],
      env: { ...environment, HOME: folder, TMPDIR: folder },
      artifactsDir: join(folder, "artifacts"),
      chromiumSandbox: false,
      timeout: startMsMax,
      acceptDownloads: false,
      serviceWorkers: "block",
      handleSIGHUP: false,
      handleSIGINT: false,
      handleSIGTERM: false,
    });
  } catch (error) {
    await kill(findChild(folder));
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return watch(context, folder);
}

function watch(context: BrowserContext, folder: string) {
  const pid = findChild(folder);
  const page = context.pages()[0];
  if (pid === undefined || page === undefined) throw new Error("The browser ended right after its start.");
  const { promise: ended, resolve } = Promise.withResolvers<Stop>();
  const heapBefore = heapBytes();
  let looks = 0;
  let tree: readonly number[] = [pid];
  let memoryBytesMax = 0;
  const timer = setInterval(() => {
    // Reads all of /proc only occasionally, since a laptop has many processes.
    if (looks % 10 === 0) tree = treeOf(pid);
    looks += 1;
    const bytes = residentBytesOf(tree);
    memoryBytesMax = Math.max(memoryBytesMax, bytes);
    if (bytes <= browserBytesMax && heapBytes() - heapBefore <= messagesBytesMax) return;
    resolve("memory");
    clearInterval(timer);
    killGroup(pid);
  }, lookEveryMs);
  // Has no effect if the browser was killed.
  context.on("close", () => resolve("crash"));
  page.on("crash", () => resolve("crash"));
  return {
    context,
    page,
    /** Resolves when the browser has ended by itself, or was killed because of its memory. */
    ended,
    /** Peak of its memory, in bytes. */
    memoryBytesMax: () => memoryBytesMax,
    /** Kills the browser and removes its files. */
    async end(): Promise<void> {
      clearInterval(timer);
      await kill(pid);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Heap of this thread only: the local cloud runs all functions in one process. */
function heapBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const killedMsMax = 3_000;

async function kill(pid: number | undefined): Promise<void> {
  if (pid === undefined) return;
  killGroup(pid);
  for (let waitedMs = 0; isRunning(pid) && waitedMs < killedMsMax; waitedMs += 10) await wait(10);
}

/** Kills the browser with its process group, which Playwright starts for each browser. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has already ended.
  }
}

/** Age of a folder that a process has left behind after an early end: no render takes so long. */
const leftoverAfterMs = 5 * 60 * 1000;

async function removeLeftovers(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(folderPrefix));
  for (const name of names) {
    const path = join(tmpdir(), name);
    const state = await stat(path).catch(() => undefined);
    if (state === undefined || Date.now() - state.mtimeMs < leftoverAfterMs) continue;
    await rm(path, { recursive: true, force: true });
  }
}

import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type BrowserContext, chromium } from "playwright-core";
import type { Stop } from "../report.ts";
import { browserArguments } from "./arguments.ts";
import { findChild, isRunning, residentBytesOf, treeOf } from "./process-tree.ts";
import { unpackBrowser } from "./program.ts";

/** A running browser and its only page. */
export type RunningBrowser = ReturnType<typeof watch>;

/** Memory limit of the browser: the function's memory, minus Node's share and what a page can allocate between two measurements. */
const browserBytesMax = 1_200_000_000;
/** Limit of Node's memory for messages from the page, which can arrive faster than they are discarded. */
const messagesBytesMax = 400_000_000;
const lookEveryMs = 50;
const startMsMax = 15_000;

const folderPrefix = "dropleaf-draw-";

/**
 * Starts a browser with a fresh profile and a minimal environment. The browser communicates through a pipe and opens no port.
 *
 * @throws Error if the browser does not start
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
  if (pid === undefined || page === undefined)
    throw new Error("The browser ended right after it was started.");
  const { promise: ended, resolve } = Promise.withResolvers<Stop>();
  const heapBefore = heapBytes();
  let looks = 0;
  let tree: readonly number[] = [pid];
  let memoryBytesMax = 0;
  const timer = setInterval(() => {
    // Scans all of /proc only at every tenth measurement, because a laptop runs many processes.
    if (looks % 10 === 0) tree = treeOf(pid);
    looks += 1;
    const bytes = residentBytesOf(tree);
    memoryBytesMax = Math.max(memoryBytesMax, bytes);
    if (bytes <= browserBytesMax && heapBytes() - heapBefore <= messagesBytesMax) return;
    resolve("memory");
    clearInterval(timer);
    killGroup(pid);
  }, lookEveryMs);
  // After a kill, `ended` is already resolved, so these calls have no effect.
  context.on("close", () => resolve("crash"));
  page.on("crash", () => resolve("crash"));
  return {
    context,
    page,
    /** Resolves with the reason when the browser crashes, or is killed because of a memory limit. */
    ended,
    /** Peak memory of the browser, in bytes. */
    memoryBytesMax: () => memoryBytesMax,
    /** Kills the browser and removes its files. */
    async end(): Promise<void> {
      clearInterval(timer);
      await kill(pid);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Heap size in bytes of the current thread only, because in the local cloud all functions share one process. */
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

/** Kills the browser's process group. Playwright starts a group for each browser. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The browser has already ended.
  }
}

/** Minimum age of a temporary folder left behind by a crashed process. No render takes that long. */
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

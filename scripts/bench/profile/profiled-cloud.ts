/** The local cloud in a process of its own, which on demand tells where its time goes. Node runs it without a loader. */
import inspector from "node:inspector/promises";
import { loadSettings } from "../../../lib/settings/settings-file.ts";
import { findOrSynthesize } from "../../../local/assembly-cache.ts";
import { stackSettings } from "../../../local/stack-settings.ts";
import { startDropleaf } from "../../../local/start-dropleaf.ts";
import { usageOfChildren } from "../process-tree.ts";
import { type Part, sharesOf } from "./cpu-shares.ts";
import { type MemoryShares, memoryShares } from "./memory-shares.ts";
import { threadUsage } from "./thread-usage.ts";
import { profileWorkers } from "./worker-profiles.ts";

/** What this process is asked by the one that has started it; it says `ready` first, then answers each. */
export type ProfileQuestion = { readonly type: "start" | "end" | "memory" | "stop" };
export type ProfileAnswer =
  | { readonly type: "ready"; readonly address: string }
  | { readonly type: "started" }
  | { readonly type: "memory"; readonly megabytes: MemoryShares }
  | { readonly type: "ended"; readonly cpuMs: Readonly<Partial<Record<Part, number>>> };

/** The threads of the process, as `top -H` shows them; every other is a function's. */
const profilerThread = /^v8:Prof/;
const busyMsMin = 300;
const helperThread = /^(V8Worker|DelayedTaskSche|SignalInspector|libuv-worker)$/;
const [directory = "", port = ""] = process.argv.slice(2);

const { settings } = stackSettings(Number(port), await loadSettings(undefined));
const assetsDirectory = `${directory}/cdk.out`;
// What a published page costs beside its publication is measured by itself.
await findOrSynthesize({ ...settings, renders: false }, assetsDirectory, { port: Number(port) });
const cloud = await startDropleaf({
  assetsDirectory,
  port: Number(port),
  dataDirectory: `${directory}/data`,
  log: (line) => console.log(line),
});
const session = new inspector.Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.setSamplingInterval", { interval: 1000 });
const workers = await profileWorkers(session);
let before = usage();

process.on("message", async ({ type }: ProfileQuestion) => {
  if (type === "stop") {
    await cloud.stop();
    process.exit();
  }
  if (type === "memory") {
    say({ type, megabytes: memoryShares() });
  } else if (type === "start") {
    const { threads } = usage();
    const spentMs = (name: string) => (threads.get(name) ?? 0) - (before.threads.get(name) ?? 0);
    await session.post("Profiler.start");
    // At work since the last row: in the requests before those that are measured.
    await workers.start((name) => spentMs(name) >= busyMsMin);
    before = usage();
    say({ type: "started" });
  } else {
    const after = usage();
    const { profile } = await session.post("Profiler.stop");
    say({ type: "ended", cpuMs: divide(after, sharesOf(profile), await workers.stop()) });
  }
});
say({ type: "ready", address: cloud.address });

function say(answer: ProfileAnswer): void {
  process.send?.(answer);
}

function usage(): { readonly threads: ReadonlyMap<string, number>; readonly engineMs: number } {
  return { threads: threadUsage(), engineMs: usageOfChildren(process.pid)?.cpuMs ?? 0 };
}

/** Exact is what a thread has taken; what of it was for what is estimated from samples. */
function divide(
  after: typeof before,
  ofMain: ReadonlyMap<Part, number>,
  ofFunctions: ReadonlyMap<Part, number>,
): Partial<Record<Part, number>> {
  const cpuMs: Partial<Record<Part, number>> = { "table engine": after.engineMs - before.engineMs };
  const add = (ms: number, shares: ReadonlyMap<Part, number>) => {
    for (const [part, share] of shares) cpuMs[part] = (cpuMs[part] ?? 0) + ms * share;
  };
  for (const [name, ms] of after.threads) {
    const spentMs = ms - (before.threads.get(name) ?? 0);
    if (profilerThread.test(name)) continue;
    if (name === "MainThread") add(spentMs, ofMain);
    else if (helperThread.test(name)) add(spentMs, new Map([["V8", 1]]));
    else if (name === "edge-functions") add(spentMs, new Map([["edge", 1]]));
    else add(spentMs, ofFunctions);
  }
  return cpuMs;
}

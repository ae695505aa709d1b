import { readFileSync } from "node:fs";
import { resolve } from "node:path";

/**
 * Where the code of an earlier time stood beside htmlbin, whose protocol Dropleaf speaks, on htmlbin's own local runtime:
 * both measured in one run, on another machine, with 8 connections and the write limits of both lifted.
 */
interface Recorded {
  /** Requests a second, ours ÷ htmlbin's. */
  readonly ratio: number;
  /** What the ratio is to become. */
  readonly goal: number;
}

/** By the names of the cases. htmlbin cannot be run here. */
const recorded: Readonly<Record<string, Recorded>> = {
  "publish, 10 KB": { ratio: 91 / 76, goal: 1.4 },
  "new version, 10 KB": { ratio: 73 / 105, goal: 1 },
  "publish, 1 MB": { ratio: 27 / 35, goal: 1.1 },
  "sign-in start": { ratio: 128 / 229, goal: 1 },
  "get a drop": { ratio: 136 / 301, goal: 1 },
  viewer: { ratio: 100 / 255, goal: 0.8 },
  "list: 200 of 500 drops": { ratio: 22 / 147, goal: 0.6 },
  "list: 20 of 500 drops": { ratio: 22 / 183, goal: 0.8 },
  "raw, 10 KB, not at the edge": { ratio: 148 / 534, goal: 0.6 },
  "raw, 10 KB, pinned: at the edge": { ratio: 1_395 / 441, goal: 8 },
  "raw, 1 MB, pinned: at the edge": { ratio: 881 / 235, goal: 6 },
};

/** The commit that the recorded ratios are of, as far as they have one: nothing of what came later was in it. */
export const recordedCommit = "529c2b1";

/** Where `--before` keeps what it has measured, relative to the root of the project. */
export const beforeFile = "docs/measured/throughput-before.json";

/** Milliseconds of the processors for each case, and of the floor, of the code of that time on this machine. */
export type CpuByCase = Readonly<Record<string, number>>;

/** What was kept of the code of that time. */
export function readBefore(): CpuByCase {
  return JSON.parse(readFileSync(resolve(import.meta.dirname, "../../..", beforeFile), "utf8"));
}

/** How a case stands beside htmlbin. */
export interface Standing {
  readonly ratio: number;
  readonly goal: number;
  /** What a request may take for the ratio to be the goal. */
  readonly cpuMsMax: number;
}

/**
 * The ratio that a case has now, if the machine that both were measured on spent its time as this one does: then half the
 * processors' time is twice the ratio.
 *
 * @param slowness of this machine now, as a multiple of what it was when `before` was measured
 */
export function standingOf(
  name: string,
  cpuMs: number,
  before: CpuByCase,
  slowness: number,
): Standing | undefined {
  const was = recorded[name];
  const beforeMs = before[name];
  if (was === undefined || beforeMs === undefined) return undefined;
  const comparableMs = beforeMs * slowness;
  return {
    ratio: was.ratio * (comparableMs / cpuMs),
    goal: was.goal,
    cpuMsMax: comparableMs * (was.ratio / was.goal),
  };
}

/** Whether a case has come to its goal. */
export function isWithin({ ratio, goal }: Standing): boolean {
  return ratio >= goal;
}

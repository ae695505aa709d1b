import { setTimeout as sleep } from "node:timers/promises";
import { withinSeconds } from "./fields.ts";

/** Pauses between two calls of a watch; the service holds each call until something arrives. */
const pauseSecondsMin = 0.2;
const pauseSecondsMax = 60;

/** Waits before the next call of a watch, as long as the service asks. */
export async function pauseBeforeNext(askAgainInSeconds: number): Promise<void> {
  await sleep(withinSeconds(askAgainInSeconds, pauseSecondsMin, pauseSecondsMax) * 1000);
}

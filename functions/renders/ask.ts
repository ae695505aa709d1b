import type { Version } from "../drops/drop.ts";
import { environmentNames, findEnvironment } from "../platform/environment.ts";
import { renders } from "./store.ts";

/** Whether pages are rendered here, for a row that has `settings: ["renders"]`. */
export function areRendered(): boolean {
  return findEnvironment(environmentNames.renders) === "1";
}

/**
 * Has a version rendered, now or again: for who wants to see it and finds nothing of it, what has failed or expired, or what
 * `mayShow` keeps from them. Asked again within five minutes it does nothing. False where that is so, or where the version is
 * there no more.
 *
 * The row needs `queues: ["renders"]`, and of the table `ConditionCheckItem` and `UpdateItem` on `SLUG`.
 *
 * @throws Error where the queue does not take it: who asks then may ask again at once.
 */
export async function askForRender(
  version: Pick<Version, "slug" | "version" | "pageKey">,
  nowMs: number,
): Promise<boolean> {
  if (!(await renders.note(version, nowMs))) return false;
  try {
    // Who finds what they look for starts without the queue's client.
    const { queueRenders } = await import("./render-queue.ts");
    await queueRenders([version]);
    return true;
  } catch (error) {
    // Whatever the queue has of it: a second message finds the first one's work done.
    await renders.forgetNote(version, nowMs);
    throw error;
  }
}

import { type Lease, takeLease } from "../platform/lease.ts";
import { writeFault, writeLog } from "../platform/log.ts";
import { renderQueue, type WaitingVersion } from "../renders/render-queue.ts";

/** The name of the lease of the one execution that works through the queue. */
export const renderLeaseName = "renders";

/** Shorter than the minute after which Lambda brings an event of a dead execution again. */
const leaseSeconds = 30;

export interface RenderRunOptions {
  /** How many versions are rendered at once. */
  readonly lanes: number;
  /** From then on no other version is begun, in Unix milliseconds. */
  readonly endMs: number;
  readonly render: (version: WaitingVersion) => Promise<void>;
}

/** So often a version is tried; then it is rendered when somebody asks again. */
const triesMax = 3;

/** After so many failures of one run the others wait for the next: AWS refuses, and would go on to. */
const failuresMax = 5;

/**
 * Works through the queue until it is empty. Where another execution does so already there is nothing to do: it looks once more after
 * it has given the lease back, and so finds what was added before this one saw that the lease was taken.
 *
 * @throws Error when a version failed or is left at the end of its time, so that Lambda brings the event again
 */
export async function workThroughRenders(options: RenderRunOptions): Promise<void> {
  const failures = new Map<string, unknown>();
  let hasMore = true;
  while (hasMore) {
    const lease = await takeLease(renderLeaseName, { seconds: leaseSeconds, isRenewed: true });
    if (lease === undefined) return;
    try {
      const passed = new Set(failures.keys());
      const lane = () => workInLane(options, lease, passed, failures);
      await Promise.all(Array.from({ length: options.lanes }, lane));
    } finally {
      await lease.giveBack();
    }
    hasMore = (await renderQueue.first(failures.size + 1)).some(({ key }) => !failures.has(key.sk));
    if (hasMore && isOver(options, lease, failures)) {
      const [error = new Error("Versions are left that are to be rendered.")] = failures.values();
      throw error;
    }
  }
  for (const error of failures.values()) throw error;
}

function isOver({ endMs }: RenderRunOptions, lease: Lease, failures: ReadonlyMap<string, unknown>): boolean {
  return Date.now() >= endMs || lease.isLost() || failures.size >= failuresMax;
}

/** Takes one version after another that no other lane has. */
async function workInLane(
  options: RenderRunOptions,
  lease: Lease,
  passed: Set<string>,
  failures: Map<string, unknown>,
): Promise<void> {
  while (!isOver(options, lease, failures)) {
    // Each other lane may take one while this one looks.
    const waiting = await renderQueue.first(passed.size + options.lanes);
    const next = waiting.find(({ key }) => !passed.has(key.sk));
    if (next === undefined) return;
    passed.add(next.key.sk);
    try {
      await tryOnce(next, options.render);
      passed.delete(next.key.sk);
    } catch (error) {
      failures.set(next.key.sk, error);
    }
  }
}

/** One that ends this function whenever it is tried is given up too. */
async function tryOnce(version: WaitingVersion, render: RenderRunOptions["render"]): Promise<void> {
  const tries = version.tries + 1;
  if (tries > triesMax) return giveUp(version);
  if (!(await renderQueue.countTry(version))) return;
  try {
    await render(version);
  } catch (error) {
    writeFault(
      { level: "error", operation: "render-page", event: "not-rendered", ...nameOf(version), tries },
      error,
    );
    if (tries === triesMax) await giveUp(version);
    throw error;
  }
  await renderQueue.remove(version);
}

async function giveUp(version: WaitingVersion): Promise<void> {
  await renderQueue.remove(version);
  writeLog({ level: "error", operation: "render-page", event: "given-up", ...nameOf(version) });
}

function nameOf({ slug, version }: WaitingVersion) {
  return { slug, version };
}
